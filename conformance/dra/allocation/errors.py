"""What makes an allocation fail on every node."""

from __future__ import annotations


class AllocationError(ValueError):
    """Claim, class or pool are such that there is no answer; one sentence says why."""


class SearchTooLongError(AllocationError):
    """The search has taken as many steps as it may."""
