"""What a driver owes from its start to its end: to kubelets that restart, and to its successor.

The harness takes the kubelet's side, and takes away for a while what a driver relies on. Ids:
DRA-DLC-*. Only the harness is imported; a driver that others rely on is not disturbed.
"""
