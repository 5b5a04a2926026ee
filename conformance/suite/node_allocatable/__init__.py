"""Devices that take CPU, memory or hugepages of their node (KEP-5517).

A node of the world's own says what it has and that it knows the feature: no kubelet is needed to
see how the scheduler reckons.

Nobody imports this package.
"""
