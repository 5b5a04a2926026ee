"""What Pods ask for in ``resources`` that devices provide, and what devices take of a node.

``extended`` turns requests for extended resources into requests for devices, ``planning`` finds
out which of them a node must provide so, and ``allocatable`` reckons what devices take of CPU,
memory and hugepages. Pure: nothing here reads or writes the API.
"""
