"""Checks of the rules for ResourceSlices, their pools, nodes and counters.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
