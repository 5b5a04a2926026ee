"""The life of each Pod on the node: one worker per Pod, from Pending to gone.

The loop watches the Pods of the node and wakes their workers; ``status`` is the pure
reading of containers as a Pod status. Works through ``claims``, ``runtime`` and ``health``,
which know nothing of it.
"""
