"""Which devices a claim gets, and what its allocation says.

How many, from which slices, under which constraints, with which configuration. Everything
here is decided by the scheduler from what is stored: the checks need no kubelet.

Nobody imports this package.
"""
