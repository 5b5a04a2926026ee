"""Taints of single devices: whom they keep away, whom they drive away, and who sets them.

The effects of taints, tolerations and their seconds, the eviction of Pods, DeviceTaintRules
and their status. That a tainted device is not allocated at all belongs to the area
``features``. Pods of these checks are bound to a node of the check's own, which has no
kubelet: one that is evicted stays visible with its deletionTimestamp.

Nobody imports this package.
"""
