"""Checks of the rules for claims of PodGroups, and for the group of a Pod.

Each row changes one place of a valid object and proposes it without storing anything. What
groups and their claims are for is told by the area ``pod_groups``.
"""
