"""Checks of the rules for alternatives of a request and for derived attributes.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
