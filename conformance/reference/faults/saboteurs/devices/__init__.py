"""The functions that commit the faults around devices in use, one module per topic.

``taints`` is about taints, rules and the eviction that they cause, ``metrics`` about what
components tell of claims and of that. The same rules hold as for
the modules beside this package: nobody but the table of saboteurs imports them.
"""
