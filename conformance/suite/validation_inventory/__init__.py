"""Checks of the rules for what further features say of the devices of a ResourceSlice.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
