"""The search for devices: first fit, with backtracking.

Source: ``structured/internal/incubating/allocator_incubating.go`` of
k8s.io/dynamic-resource-allocation 0.37.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from conformance.dra.allocation import taints
from conformance.dra.allocation.candidates import Acceptance, Asked
from conformance.dra.allocation.capacity import Amounts
from conformance.dra.allocation.constraints import Constraint
from conformance.dra.allocation.counters import Counters
from conformance.dra.allocation.errors import AllocationError, SearchTooLongError
from conformance.dra.allocation.groups import Groups
from conformance.dra.allocation.pools import Candidate, DeviceKey, Inventory, Pool
from conformance.dra.allocation.results import Chosen, allocation
from conformance.dra.allocation.sharing import InUse, Shares
from conformance.dra.allocation.wanted import Offers, Wanted, needs_a_free_device
from conformance.dra.features import Features
from conformance.dra.vocabulary import RESULTS
from conformance.kube.objects import Object, key_of


def allocate(
    claims: Sequence[Object],
    *,
    slices: Sequence[Object],
    classes: Mapping[str, Object],
    node: Object,
    allocated: frozenset[DeviceKey] | InUse,
    features: Features,
) -> list[Object] | None:
    """Return a ``status.allocation`` for each claim, or nothing where they do not fit together.

    ``allocated`` says what is in use: as plain keys where no device is shared. Whoever asks for
    many nodes gives claims as ``Wanted`` and slices as an ``Inventory``, so that both are read
    once. Raises ``AllocationError`` where no node could do: an expression fails on a device that
    is looked at, a class is missing, all devices of an incomplete pool are asked for; and
    ``SearchTooLongError`` where more devices would have to be tried than ``InUse`` allows.
    """
    inventory = slices if isinstance(slices, Inventory) else Inventory(slices)
    pools = inventory.pools(node, features)
    acceptance = Acceptance(node, features)
    wanted = claims if isinstance(claims, Wanted) else Wanted(claims)
    offers = wanted.offers(classes, pools, acceptance, features)
    in_use = allocated if isinstance(allocated, InUse) else InUse(devices=allocated)
    if needs_a_free_device(offers) and not _any_free(pools, in_use):
        return None
    counters, groups = Counters(pools, in_use.touched), Groups(pools, in_use.touched)
    found = _Search(claims, offers, pools, acceptance, features).run(counters, groups, in_use)
    if found is None:
        return None
    return [
        allocation(claim, picked, chosen, node, features)
        for claim, (picked, chosen) in zip(claims, found, strict=True)
    ]


def _any_free(pools: Sequence[Pool], in_use: InUse) -> bool:
    return any(
        one.shared or one.key not in in_use.devices
        for pool in pools
        if pool.usable
        for one in pool.devices
    )


class _TooManyResultsError(Exception):
    """This way the claim gets more devices than a status can hold.

    Another alternative of an earlier request may need fewer: ``wanted`` made sure that
    some choice is small enough, so this never leaves the claim.
    """


class _Search:
    """The state of one search."""

    def __init__(
        self,
        claims: Sequence[Object],
        offers: Sequence[Offers],
        pools: Sequence[Pool],
        acceptance: Acceptance,
        features: Features,
    ) -> None:
        self._claims = claims
        self._acceptance = acceptance
        self._partitions = features.enabled("DRAPartitionableDevices")
        self._tainted = features.enabled("DRADeviceTaints")
        self._sharing = acceptance.sharing
        self._candidates = [one for pool in pools if pool.usable for one in pool.devices]
        self._requests = offers
        self._constraints = [
            [
                Constraint(one, lists=features.enabled("DRAListTypeAttributes"))
                for one in claim["spec"]["devices"].get("constraints") or []
            ]
            for claim in claims
        ]
        self._picked: list[dict[int, Asked]] = [{} for _ in claims]
        self._chosen: list[list[Chosen]] = [[] for _ in claims]
        self._taken: dict[DeviceKey, list[int]] = {}

    def run(
        self, counters: Counters, groups: Groups, in_use: InUse
    ) -> list[tuple[list[Asked], list[Chosen]]] | None:
        """Return what each claim asked for in the end, and what it got."""
        self._counters, self._groups = counters, groups
        self._steps = math.inf if in_use.steps is None else in_use.steps
        # Without DRAConsumableCapacity a share takes the whole device.
        shares = frozenset[DeviceKey]() if self._sharing else frozenset(in_use.consumed)
        self._allocated = in_use.devices | shares
        self._shares = Shares(in_use.consumed, fractional=self._acceptance.fractional)
        if not self._claim(0):
            return None
        return [
            ([picked[index] for index in sorted(picked)], chosen)
            for picked, chosen in zip(self._picked, self._chosen, strict=True)
        ]

    def _claim(self, claim: int) -> bool:
        if claim == len(self._claims):
            return True
        return self._request(claim, 0)

    def _request(self, claim: int, request: int) -> bool:
        if request == len(self._requests[claim]):
            return self._claim(claim + 1)
        offered = self._requests[claim][request]
        too_many = 0
        for asked in offered:
            self._picked[claim][request] = asked
            try:
                if self._device(claim, request, asked, 0, 0):
                    return True
            except _TooManyResultsError:
                too_many += 1
        if too_many == len(offered):
            raise _TooManyResultsError
        return False

    def _device(self, claim: int, request: int, asked: Asked, index: int, start: int) -> bool:
        """Find device ``index`` of a request among the candidates from ``start`` on.

        Within a request only combinations are tried, not their permutations.
        """
        if asked.devices is not None and not asked.devices:
            return False
        if index >= asked.count:
            return self._request(claim, request + 1)
        if asked.count - index > RESULTS - len(self._chosen[claim]):
            raise _TooManyResultsError
        if asked.devices is not None:
            return self._try(claim, request, asked, index, asked.devices[index], 0)
        for position in range(start, len(self._candidates)):
            candidate = self._candidates[position]
            if not self._is_free(claim, asked, candidate):
                continue
            if not self._is_accepted(asked, candidate):
                continue
            if self._try(claim, request, asked, index, candidate, position + 1):
                return True
        return False

    def _try(
        self,
        claim: int,
        request: int,
        asked: Asked,
        index: int,
        candidate: Candidate,
        following: int,
    ) -> bool:
        self._steps -= 1
        if self._steps < 0:
            raise SearchTooLongError("timed out trying to allocate devices")
        if not self._take(claim, asked, candidate):
            return False
        try:
            if self._device(claim, request, asked, index + 1, following):
                return True
        except _TooManyResultsError:
            self._give_back(claim, asked, candidate)
            raise
        self._give_back(claim, asked, candidate)
        return False

    def _is_free(self, claim: int, asked: Asked, candidate: Candidate) -> bool:
        if self._is_shared(candidate):
            return asked.admin_access or candidate.key not in self._allocated
        users = self._taken.get(candidate.key) or []
        if asked.admin_access:
            return claim not in users
        return not users and candidate.key not in self._allocated

    def _is_accepted(self, asked: Asked, candidate: Candidate) -> bool:
        return (
            self._acceptance.accepts(asked, candidate)
            and self._consumption(asked, candidate) is not None
        )

    def _consumption(self, asked: Asked, candidate: Candidate) -> Amounts | None:
        """Return what would be consumed; nothing if too little is left.

        Shares of a device that is shared no longer still count.
        """
        if not self._sharing:
            return {}
        return self._shares.offers(candidate.key, candidate.device, asked.request)

    def _take(self, claim: int, asked: Asked, candidate: Candidate) -> bool:
        """Mark the device as taken if nothing speaks against it."""
        if not self._is_free(claim, asked, candidate) or not self._is_usable(asked, candidate):
            return False
        if not self._pay(candidate):
            return False
        if not self._constrain(claim, asked, candidate):
            self._refund(candidate)
            if asked.devices is not None:
                raise AllocationError(
                    f"claim {key_of(asked.claim)}, request {asked.name}: cannot add device "
                    f"{'/'.join(candidate.key)} because a claim constraint would not be satisfied"
                )
            return False
        amounts = self._consumption(asked, candidate)
        if amounts is None:
            self._release(claim, asked)
            self._refund(candidate)
            return False
        if self._is_shared(candidate):
            self._shares.take(candidate.key, amounts)
            self._chosen[claim].append(Chosen(asked, candidate, amounts))
        else:
            self._taken.setdefault(candidate.key, []).append(claim)
            self._chosen[claim].append(Chosen(asked, candidate))
        return True

    def _is_shared(self, candidate: Candidate) -> bool:
        return candidate.shared and self._sharing

    def _pay(self, candidate: Candidate) -> bool:
        """Take counters, if groups agree; a device that is shared already has paid."""
        if self._is_shared(candidate) and self._shares.has(candidate.key):
            return True
        if not self._groups.take(candidate):
            return False
        if self._counters.take(candidate):
            return True
        self._groups.give_back()
        return False

    def _refund(self, candidate: Candidate) -> None:
        if not (self._is_shared(candidate) and self._shares.has(candidate.key)):
            self._counters.give_back(candidate)
            self._groups.give_back()

    def _is_usable(self, asked: Asked, candidate: Candidate) -> bool:
        device = candidate.device
        if device.get("consumesCounters") and not self._partitions:
            return False
        if self._tainted and taints.prevents(device, asked.request.get("tolerations") or []):
            return False
        return self._acceptance.operable(candidate)

    def _constrain(self, claim: int, asked: Asked, candidate: Candidate) -> bool:
        constraints = self._constraints[claim]
        for index, constraint in enumerate(constraints):
            found: Object | None = None
            if constraint.applies(asked.name):
                found = asked.attribute(candidate, constraint.attribute)
            if not constraint.add(asked.name, found):
                for added in constraints[:index]:
                    added.remove(asked.name)
                return False
        return True

    def _give_back(self, claim: int, asked: Asked, candidate: Candidate) -> None:
        chosen = self._chosen[claim].pop()
        if chosen.consumed is None:
            self._taken[candidate.key].remove(claim)
        else:
            self._shares.give_back(candidate.key)
        self._release(claim, asked)
        self._refund(candidate)

    def _release(self, claim: int, asked: Asked) -> None:
        for constraint in self._constraints[claim]:
            constraint.remove(asked.name)
