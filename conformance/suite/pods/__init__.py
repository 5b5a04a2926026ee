"""Checks of the rules for Pods: how they name claims, and what their status says of them.

Each row changes one place of a valid Pod and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
