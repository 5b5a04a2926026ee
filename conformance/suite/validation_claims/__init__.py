"""Checks of the rules for constraints, configurations and templates.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
