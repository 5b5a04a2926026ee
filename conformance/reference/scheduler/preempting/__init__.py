"""Room for Pods of higher priority: whom the scheduler evicts for them, and where.

``victims`` (the decision, pure), ``preemptor`` (asks for it and carries it out).

What was decided here is kept in ``cache.nominated``, of which every attempt takes account.
Devices play no part: those of a victim count as taken until they are free. Only the
scheduler imports this package.

Source: https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ and
what kube-scheduler 1.37.2 does.
"""
