"""Pods of higher priority: for whom others are evicted, and what becomes of the claims of both.

The Pods have priorities below zero, and only nodes of their own world take them: whatever the
scheduler does, no Pod of anybody else is evicted for them. Those nodes have no kubelet.

Nobody imports this package.
"""
