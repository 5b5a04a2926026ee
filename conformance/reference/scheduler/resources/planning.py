"""Which of a Pod's extended resources a node must provide through devices, and by what claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from conformance.dra.allocation import Wanted
from conformance.dra.features import Features
from conformance.kube.objects import Object
from conformance.reference.faults.seams import Faults
from conformance.reference.scheduler.claims import Unfit
from conformance.reference.scheduler.fit import requests_of
from conformance.reference.scheduler.resources import extended
from conformance.reference.scheduler.resources.extended import SpecialClaim


@attrs.frozen(kw_only=True)
class Ask:
    """What is allocated for a Pod on a node: its own claims, and one for extended resources."""

    wanted: Wanted
    special: Object | None = None
    mappings: tuple[Object, ...] = ()

    def chosen(self, allocations: Sequence[Object]) -> SpecialClaim | None:
        """Return the claim to create, given the allocations of everything that was wanted."""
        if self.special is None:
            return None
        return SpecialClaim(claim=self.special, allocation=allocations[-1], mappings=self.mappings)


class Plan:
    """One Pod's extended resources; nodes that ask the same of devices share the question."""

    def __init__(
        self, planner: Planner, pod: Object, pending: Sequence[Object], backed: Mapping[str, str]
    ) -> None:
        self._planner = planner
        self._pod = pod
        self._pending = pending
        self._backed = backed
        self._asks: dict[frozenset[str], Ask] = {}

    def from_devices(self, node: Object) -> frozenset[str]:
        """Return the resources that devices must provide on the node."""
        return self._planner.from_devices(self._backed, node) if self._backed else frozenset()

    def ask(self, resources: frozenset[str]) -> Ask:
        """Return what to allocate where devices must provide these resources."""
        if resources not in self._asks:
            self._asks[resources] = self._ask(resources)
        return self._asks[resources]

    def _ask(self, resources: frozenset[str]) -> Ask:
        if not resources:
            return Ask(wanted=Wanted(self._pending))
        asked = self._planner.asked_of(self._pod, self._backed, resources)
        special = self._planner.special_claim(self._pod, asked.requests)
        wanted = Wanted([*self._pending, special])
        return Ask(wanted=wanted, special=special, mappings=asked.mappings)


class Planner:
    """Makes plans, with the seams of their parts."""

    def __init__(self, *, features: Features, faults: Faults) -> None:
        self._enabled = features.enabled("DRAExtendedResource")
        wrap = faults.wrap
        self._serving = wrap("scheduler.classes_by_resource", extended.classes_by_resource)
        self._backed = wrap("scheduler.backed_resources", extended.backed)
        self._existing = wrap("scheduler.existing_claim", extended.existing)
        self.from_devices = wrap("scheduler.from_devices", extended.from_devices)
        self.asked_of = wrap("scheduler.asked_of_devices", extended.asked_of)
        self.special_claim = wrap("scheduler.special_claim", extended.special_claim)

    def plan(
        self,
        pod: Object,
        pending: Sequence[Object],
        classes: Mapping[str, Object],
        claims: Iterable[Object],
    ) -> Plan:
        """Return the plan for a Pod whose own claims ``pending`` are to be allocated, too.

        Raises ``Unfit`` while a claim of an earlier attempt is there: nothing tells whether its
        devices still suit, so it is removed first.
        """
        backed: Mapping[str, str] = {}
        if self._enabled and any("/" in name for name, _ in requests_of(pod)):
            backed = self._backed(pod, self._serving(classes.values()))
        stale = self._existing(pod, claims) if backed else None
        if stale is not None:
            raise Unfit("cannot schedule extended resource claim", remove=stale)
        return Plan(self, pod, pending, backed)
