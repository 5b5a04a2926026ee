"""Checks of the rules for the capacity policies of a device.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
