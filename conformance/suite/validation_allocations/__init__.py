"""Checks of the rules for the allocation in the status of a claim.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
