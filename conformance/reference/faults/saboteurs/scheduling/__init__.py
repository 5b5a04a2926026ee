"""Saboteurs of the scheduler: what it allocates, and when it looks again.

``allocation`` and ``inventory`` are wrong about requests and about pools, ``counting`` about
capacity and counters, ``comparing`` about what devices have in common, ``choosing`` about
alternatives, ``waiting`` about what happens; each of their saboteurs acts in one narrow case
alone, so that several may be at work at once. ``gangs`` is wrong about Pods that go together,
``searching`` about a search that has no end.
"""
