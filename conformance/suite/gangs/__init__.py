"""Devices for the Pods of a PodGroup that are scheduled at once (KEP-4671, KEP-5729).

Which devices Pods get that go together or not at all, what becomes of the claims of a group
whose Pods go nowhere, and what the group says of it.

Nobody imports this package.
"""
