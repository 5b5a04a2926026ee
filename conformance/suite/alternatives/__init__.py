"""Requests that list alternatives in order of preference, and what comes with the chosen one.

Configuration, constraints, tolerations and amounts of an alternative (KEP-4816). No kubelet is
needed.

Nobody imports this package.
"""
