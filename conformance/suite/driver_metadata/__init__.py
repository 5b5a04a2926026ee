"""What a driver that writes device metadata owes to the node: files that come and go with claims.

What stands in the files and where containers find them is judged in ``metadata``, with Pods;
here the harness takes the kubelet's side and follows the mounts of the driver's CDI specs to the
files on the node. Ids: DRA-DMD-*. Only the harness is imported.
"""
