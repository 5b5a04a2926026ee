"""Pool status: how many devices of a pool are free, allocated and out of use (KEP-5677).

A ResourcePoolStatusRequest is a question that is answered once, by kube-controller-manager.
The checks publish slices of a driver of their own, ask, and compare the numbers with what
they published. The whole area needs gates that are off by default, so every module names
its ``variant``.

Nobody imports this package.
"""
