"""Checks of the rules for DeviceClasses and DeviceTaintRules.

Each row changes one place of a valid object and proposes it without storing anything. What
the rules are for is told by the other areas.
"""
