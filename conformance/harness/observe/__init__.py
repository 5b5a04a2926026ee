"""What can be seen of a target through its API alone, read into one shape.

``health`` reads the health of devices from a Pod's status, ``probe`` reads what a probe
container wrote about its surroundings, ``pools`` asks for the status of resource pools.
Readers wait and raise ``Violation`` as ``expect`` does; they decide nothing that a check has
not asked for, and know no implementation.
"""
