"""Claims to allocate for, read once and then asked about for many nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, overload

from conformance.dra.allocation.candidates import Acceptance, Asked, alternatives, never_fails
from conformance.dra.allocation.errors import AllocationError
from conformance.dra.allocation.pools import Inventory, Pool
from conformance.dra.features import Features
from conformance.dra.vocabulary import RESULTS
from conformance.kube.objects import Object, key_of

#: For each request of a claim what it would take, best first.
Offers: TypeAlias = list[list[Asked]]


class Wanted(Sequence[Object]):
    """Claims; what they ask for is found out once, as far as no node decides it."""

    def __init__(self, claims: Sequence[Object]) -> None:
        self._claims = tuple(claims)
        self._known: tuple[Mapping[str, Object], Features, list[Offers]] | None = None

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Object]: ...

    def __getitem__(self, index: Any) -> Any:
        """Return a claim by its position."""
        return self._claims[index]

    def __len__(self) -> int:
        return len(self._claims)

    def offers(
        self,
        classes: Mapping[str, Object],
        pools: Sequence[Pool],
        acceptance: Acceptance,
        features: Features,
    ) -> list[Offers]:
        """Return what each claim asks for; raises ``AllocationError`` where that cannot be."""
        known = self._known
        if known is not None and known[0] is classes and known[1] is features:
            return known[2]
        found = [
            list(_offered(claim, classes, pools, acceptance, features)) for claim in self._claims
        ]
        if all(asked.devices is None for asked in _flat(found)):
            self._known = (classes, features, found)
        return found

    def is_certain(self, slices: Inventory, classes: Mapping[str, Object]) -> bool:
        """Return whether no node can turn up an ``AllocationError`` that another did not.

        So it is where ``offers`` was the same for every node, and every expression has an
        answer for every device.
        """
        known = self._known
        if not self._claims:
            return True
        if known is None or known[0] is not classes:
            return False
        return all(never_fails(asked, slices) for asked in _flat(known[2]))


def needs_a_free_device(offers: Sequence[Offers]) -> bool:
    """Return whether some request can't do with devices that are in use.

    Where a request asks for all devices nothing is decided so early: that they do not meet a
    constraint is an error, and told before anything else is tried.
    """
    if any(asked.devices is not None for asked in _flat(offers)):
        return False
    return any(
        not any(asked.admin_access for asked in offered) for claim in offers for offered in claim
    )


def _flat(offers: Sequence[Offers]) -> Iterator[Asked]:
    return (asked for claim in offers for offered in claim for asked in offered)


def _offered(
    claim: Object,
    classes: Mapping[str, Object],
    pools: Sequence[Pool],
    acceptance: Acceptance,
    features: Features,
) -> Iterator[list[Asked]]:
    """Yield what each request offers; raises ``AllocationError`` for the first that cannot be."""
    total = 0
    for request in claim["spec"]["devices"].get("requests") or []:
        _check(claim, request, features)
        offered = alternatives(claim, request, classes, pools, acceptance)
        total += min(asked.count for asked in offered)
        if total > RESULTS:
            raise AllocationError(
                f"claim {key_of(claim)}, request {request['name']}: adding {total} devices "
                f"exceeds the claim limit of {RESULTS}"
            )
        yield offered


def _check(claim: Object, request: Object, features: Features) -> None:
    """Raise ``AllocationError`` for a request that needs a feature which is off."""
    where = f"claim {key_of(claim)}, request {request['name']}"
    if request.get("firstAvailable") and not features.enabled("DRAPrioritizedList"):
        raise AllocationError(
            f"{where}: has subrequests, but the DRAPrioritizedList feature is disabled"
        )
    exactly = request.get("exactly") or {}
    asked = [exactly, *(request.get("firstAvailable") or [])]
    if any(one.get("capacity") for one in asked) and not features.enabled("DRAConsumableCapacity"):
        raise AllocationError(
            f"{where}: has capacity requests, but the DRAConsumableCapacity feature is disabled"
        )
    if exactly.get("adminAccess") and not features.enabled("DRAAdminAccess"):
        raise AllocationError(f"{where}: admin access is requested, but the feature is disabled")
