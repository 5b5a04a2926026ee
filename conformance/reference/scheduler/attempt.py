"""One scheduling attempt: from a Pod and what is known of the cluster to a node and devices.

Pure: nothing is read or written here. All nodes are looked at before one is chosen, so that
an error on any of them stops the attempt, as in kube-scheduler; where no node can bring an
error, the first that fits is enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs

from conformance.dra.allocation import AllocationError, InUse, Inventory, Wanted, allocate
from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of, uid_of
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import allocation_of
from conformance.reference.scheduler import claims as rules
from conformance.reference.scheduler.cache.ledger import Ledger
from conformance.reference.scheduler.cache.nominated import Nominated
from conformance.reference.scheduler.cache.occupancy import Occupancy
from conformance.reference.scheduler.claims import Unfit
from conformance.reference.scheduler.configuration import SchedulerOptions, honours_conditions
from conformance.reference.scheduler.fit import Occupants, short_of_resources, why_unfit
from conformance.reference.scheduler.resources import allocatable
from conformance.reference.scheduler.resources.allocatable import Footprints, with_statuses
from conformance.reference.scheduler.resources.extended import SpecialClaim
from conformance.reference.scheduler.resources.planning import Ask, Plan, Planner

#: Devices that are tried on a node in what counts as a second: a search that needs more has no end.
_STEPS_PER_SECOND = 1000


@attrs.frozen(kw_only=True)
class View:
    """What the scheduler knows at the moment of an attempt."""

    now: datetime
    nodes: Sequence[Object]
    occupancy: Occupancy
    nominated: Nominated
    claims: Ledger
    slices: Inventory
    classes: Mapping[str, Object]
    in_flight: Mapping[str, Object]
    footprints: Footprints
    #: Finds PodGroups by namespace and name.
    find_group: Callable[[str, str], Object | None]
    #: Allocations in flight that the Pod may join, for they are its group's, by uid of the claim.
    decided: Mapping[str, Object] = attrs.field(factory=dict[str, Object])

    def others(self, pod: Object, node: str) -> Occupants:
        """Return who takes resources of a node that the Pod can't have, or is going to."""
        expected = self.nominated.beside(pod, node)
        if not expected:
            return self.occupancy.on(node)
        return Occupants.of([*self.occupancy.pods_on(node), *expected])


@attrs.frozen(kw_only=True)
class Placement:
    """Where the Pod goes: its claims, and the allocations to write, by uid of the claim.

    ``holders`` are groups for which claims are reserved instead of for the Pod, ``joined`` are
    allocations that another Pod of its group takes care of.

    ``unavailable`` are claims of the Pod that keep it from other nodes, and ``release`` is one of
    them that could be deallocated, so that it may go there: a group asks for both that cannot go
    where its Pods could.

    ``special`` is the claim to create for extended resources that devices provide, and
    ``taken`` what the devices take of CPU, memory and hugepages, as the Pod's status says it.
    """

    node: str
    claims: tuple[Object, ...]
    allocations: Mapping[str, Object]
    special: SpecialClaim | None = None
    taken: tuple[Object, ...] = ()
    holders: Mapping[str, Object] = attrs.field(factory=dict[str, Object])
    joined: Mapping[str, Object] = attrs.field(factory=dict[str, Object])
    unavailable: tuple[Object, ...] = ()
    release: Object | None = None

    def terms_of(self, claim: Object) -> tuple[Object | None, Object | None]:
        """Return what is to be allocated to the claim, and which group is to hold it, if any."""
        uid = uid_of(claim)
        return self.allocations.get(uid) or self.joined.get(uid), self.holders.get(uid)


@attrs.frozen(kw_only=True)
class _Need:
    """What one Pod needs, whatever the node; and the claims that were found in its way."""

    pod: Object
    claims: Sequence[Object]
    plan: Plan
    in_use: InUse
    in_the_way: dict[str, Object] = attrs.field(factory=dict[str, Object])

    def ask(self, node: Object) -> Ask:
        """Return what is allocated on the node."""
        return self.plan.ask(self.plan.from_devices(node))


def node_order(nodes: Sequence[Object]) -> list[Object]:
    """Return the nodes in the order in which they are preferred: by name."""
    return sorted(nodes, key=name_of)


class Attempt:
    """The decision, with the seams of its parts."""

    def __init__(self, *, features: Features, options: SchedulerOptions, faults: Faults) -> None:
        self._features = features
        self._timeout = options.binding_timeout
        limit = options.filter_timeout
        self._steps = None if limit is None else math.ceil(limit * _STEPS_PER_SECOND)
        self._waits = honours_conditions(features)
        wrap = faults.wrap
        self.group_of = wrap("scheduler.group_of", rules.group_of)
        self._holders = wrap("scheduler.holders", rules.holders)
        self._resolve = wrap("scheduler.resolve_claims", rules.resolve_claims)
        self._in_use: Any = wrap("scheduler.devices_in_use", rules.devices_in_use)
        self._order = wrap("scheduler.node_order", node_order)
        self._why_unfit = wrap("scheduler.why_unfit", why_unfit)
        self._reachable = wrap("scheduler.reachable", rules.reachable)
        self._as_decided = wrap("scheduler.as_decided", rules.as_decided)
        self._is_usable = wrap("scheduler.is_usable", rules.is_usable)
        self._allocate: Any = wrap("scheduler.allocate", allocate)
        self._takes = wrap("scheduler.taken_by_claims", allocatable.statuses)
        self._beyond = wrap("scheduler.beyond_pod_level", allocatable.beyond_pod_level)
        self._check_sharing = wrap("scheduler.check_sharing", allocatable.check_sharing)
        self._planner = Planner(features=features, faults=faults)

    def place(self, pod: Object, view: View) -> Placement:
        """Return where the Pod goes.

        Raises ``Unfit`` if it has to wait (``NotReady`` if its claims are not there), and
        ``dra.allocation``'s ``AllocationError`` if a claim or class is wrong in itself.
        """
        group = self.group_of(pod, view.find_group)
        known = self.claims_of(pod, view)
        need = self._need(pod, known, view)
        claims = need.claims
        fitting, reasons = self._try_nodes(need, view, everywhere=group is not None)
        unavailable = tuple(one for one in known if uid_of(one) in need.in_the_way)
        release = _first(pod, need.in_the_way)
        if not fitting:
            message = _summary(reasons, len(view.nodes))
            raise Unfit(message, release=release, unavailable=unavailable)
        joined = {
            uid_of(one): allocation
            for one, other in zip(known, claims, strict=True)
            if one is not other and (allocation := allocation_of(other))
        }
        return attrs.evolve(
            fitting[0],
            claims=tuple(known),
            holders=self._holders(pod, group, claims),
            joined=joined,
            unavailable=unavailable,
            release=release,
        )

    def trial(self, pod: Object, view: View) -> Callable[[Object, Sequence[Object]], bool]:
        """Return what tells whether the Pod fits on a node beside no others than these Pods.

        Devices that are taken are so there, too, whoever holds them.
        """
        try:
            need = self._need(pod, self.claims_of(pod, view), view)
        except (Unfit, AllocationError):
            return lambda _node, _staying: False

        def fits(node: Object, staying: Sequence[Object]) -> bool:
            expected = view.nominated.beside(pod, name_of(node))
            others = Occupants.of([*staying, *expected])
            try:
                return isinstance(self._on_node(need, node, view, others), Placement)
            except AllocationError:
                return False

        return fits

    def _need(self, pod: Object, known: Sequence[Object], view: View) -> _Need:
        """Return what the Pod needs; raises as ``place`` does, before any node is looked at."""
        claims = [self._as_decided(claim, view.decided) for claim in known]
        pending = [claim for claim in claims if allocation_of(claim) is None]
        for claim in pending:
            if uid_of(claim) in view.in_flight:
                raise Unfit(f"resource claim {name_of(claim)} is in the process of being allocated")
            rules.check_classes(claim, view.classes)
        for claim in claims:
            self._check_sharing(pod, claim, view.footprints)
        return _Need(
            pod=pod,
            claims=claims,
            plan=self._planner.plan(pod, pending, view.classes, view.claims),
            in_use=self._searched(view),
        )

    def _try_nodes(
        self, need: _Need, view: View, *, everywhere: bool
    ) -> tuple[list[Placement], Counter[str]]:
        """Return where the Pod fits, until it is certain, and why it does not fit elsewhere.

        For a group it is found out ``everywhere`` which claims are in the way.
        """
        reasons: Counter[str] = Counter()
        fitting: list[Placement] = []
        certain = False
        for node in self._order(view.nodes):
            if certain and not everywhere:
                break
            others = view.others(need.pod, name_of(node))
            outcome = self._on_node(need, node, view, others, alone=certain)
            if isinstance(outcome, str):
                reasons[outcome] += 1
                continue
            if outcome is not None:
                fitting.append(outcome)
                certain = need.ask(node).wanted.is_certain(view.slices, view.classes)
        return fitting, reasons

    def _searched(self, view: View) -> InUse:
        """Return what is in use, with how far the search for more may go on each node."""
        found = self._in_use(view.claims, list(view.in_flight.values()))
        in_use = found if isinstance(found, InUse) else InUse(devices=found)
        return attrs.evolve(in_use, steps=self._steps)

    def claims_of(self, pod: Object, view: View) -> list[Object]:
        """Return the Pod's claims; raises ``NotReady`` while one is not there."""
        return self._resolve(pod, lambda namespace, name: view.claims.find(f"{namespace}/{name}"))

    def _on_node(
        self, need: _Need, node: Object, view: View, others: Occupants, *, alone: bool = False
    ) -> Placement | str | None:
        """Return the placement on the node, or why there is none.

        Where claims ``alone`` are to be looked at, nothing says that they do not speak against it.
        """
        pod, ask = need.pod, need.ask(node)
        elsewhere = need.plan.from_devices(node)
        lack = self._why_unfit(pod, node, others, elsewhere) or self._claims_on(node, view, need)
        if lack or alone:
            return lack
        found = self._devices(ask.wanted, node, view, need.in_use)
        if isinstance(found, str):
            return found
        allocated = dict(zip(map(uid_of, ask.wanted), found, strict=True))
        every = [*(one for one in need.claims if allocation_of(one)), *ask.wanted]
        results = [(one, allocated.get(uid_of(one)) or allocation_of(one) or {}) for one in every]
        taken = self._takes(pod, results, view.footprints)
        if taken:
            whole = with_statuses(pod, taken)
            lack = self._beyond(whole) or short_of_resources(whole, node, others, elsewhere)
            if lack:
                return lack
        return Placement(
            node=name_of(node),
            claims=tuple(need.claims),
            allocations=allocated,
            special=ask.chosen(found),
            taken=tuple(taken),
        )

    def _claims_on(self, node: Object, view: View, need: _Need) -> str | None:
        """Return why the claims that are allocated keep the Pod from the node, or nothing."""
        reason = None
        for claim in need.claims:
            if allocation_of(claim) is None or self._serves(claim, node, view.now):
                continue
            if uid_of(claim) not in view.decided:
                need.in_the_way[uid_of(claim)] = claim
            reason = "resourceclaim not available on the node"
        return reason

    def _serves(self, claim: Object, node: Object, now: datetime) -> bool:
        if not self._reachable(claim, node):
            return False
        return not self._waits or self._is_usable(claim, now, self._timeout)

    def _devices(
        self, pending: Wanted, node: Object, view: View, taken: InUse
    ) -> list[Object] | str:
        """Return the allocations that the node offers, or why there are none."""
        if not pending:
            return []
        found = self._allocate(
            pending,
            slices=view.slices,
            classes=view.classes,
            node=node,
            allocated=taken,
            features=self._features,
        )
        return "cannot allocate all claims" if found is None else found


def _first(pod: Object, in_the_way: Mapping[str, Object]) -> Object | None:
    """Return the claim to deallocate, so that the Pod may go elsewhere."""
    for claim in in_the_way.values():
        if rules.can_be_released(claim, pod):
            return claim
    return None


def _summary(reasons: Counter[str], nodes: int) -> str:
    if not nodes:
        return "no nodes available to schedule pods"
    parts = sorted(f"{count} {reason}" for reason, count in reasons.items())
    return f"0/{nodes} nodes are available: {', '.join(parts)}."
