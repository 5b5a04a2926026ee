"""ResourceClaims on the node: preparing, unpreparing and the checkpoint between.

Follows ``pkg/kubelet/cm/dra`` of Kubernetes 1.37: a claim is prepared before the first Pod
that uses it starts, unprepared after the last one ended, and what is prepared survives a
restart on disk. Knows Pods as plain objects and drivers through ``registration``; starts no
container and writes no status.
"""
