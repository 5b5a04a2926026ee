"""Workloads that other programs deploy to a cluster: ``replicasets``.

Upstream's own tests of DRA bring their driver that way. Deployments, DaemonSets and Jobs are
stored and not acted upon.
"""
