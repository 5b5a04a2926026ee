"""Pods that are on a node before anybody looked at their claims.

The kubelet keeps such a Pod waiting until its claims exist, are allocated and are reserved
for it; kube-controller-manager reserves what is allocated and never allocates. No driver is
needed: where a Pod must really run, the suite plays the scheduler and writes an allocation
without devices.

Nobody imports this package.
"""
