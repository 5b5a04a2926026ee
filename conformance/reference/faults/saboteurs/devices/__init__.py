"""The functions that commit the faults around single devices, one module per topic.

``taints`` is about taints, rules and the eviction that they cause. The same rules hold as for
the modules beside this package: nobody but the table of saboteurs imports them.
"""
