"""Extended resources that devices provide: requested in Pods as ever, allocated as claims are.

Which node has a resource itself is played with nodes of our own, and so is a Pod's end; only what
the kubelet does needs one.

Nobody imports this package.
"""
