"""What the scheduler sees of the cluster at the moment of an attempt."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from conformance.dra.allocation import Inventory, with_rules
from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of, namespace_of
from conformance.reference.client.informer import Informer
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import group_name
from conformance.reference.scheduler.attempt import View
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.resources.allocatable import Footprints, footprints

#: How Pods are found by the key of their PodGroup.
BY_GROUP = "group"

_NOTHING: Mapping[str, Object] = MappingProxyType({})


def group_keys(pod: Object) -> list[str]:
    """Return the key of the PodGroup that the Pod names, if any."""
    name = group_name(pod)
    return [f"{namespace_of(pod)}/{name}"] if name else []


class Outlook:
    """Views of what informers say and what is assumed on top of it."""

    def __init__(
        self,
        informers: Mapping[str, Informer],
        assumed: Assumed,
        *,
        clock: Clock,
        features: Features,
        faults: Faults,
    ) -> None:
        self._informers = informers
        self._assumed = assumed
        self._clock = clock
        self._counts = features.enabled("DRANodeAllocatableResources")
        #: The slices that the informer has, sorted; nothing while it must be sorted anew.
        self._inventory: Inventory | None = None
        self._footprints: Footprints = {}
        self._with_rules = faults.wrap("scheduler.with_rules", with_rules)

    def slices_changed(self) -> None:
        """Look at slices, or rules about their devices, anew."""
        self._inventory = None

    def find_group(self, namespace: str, name: str) -> Object | None:
        """Return a PodGroup, if it is there."""
        groups = self._informers.get("podgroups")
        return None if groups is None else groups.get(f"{namespace}/{name}")

    def view(self, decided: Mapping[str, Object] = _NOTHING) -> View:
        """Return what is known now; ``decided`` are allocations that a Pod may join."""
        informers = self._informers
        if self._inventory is None:
            rules = informers.get("devicetaintrules")
            slices = informers["resourceslices"].values()
            self._inventory = Inventory(self._with_rules(slices, rules.values() if rules else ()))
            self._footprints = footprints(slices) if self._counts else {}
        return View(
            now=self._clock.now(),
            nodes=informers["nodes"].values(),
            occupancy=self._assumed.occupancy,
            nominated=self._assumed.nominated,
            claims=self._assumed.claims,
            slices=self._inventory,
            classes={name_of(one): one for one in informers["deviceclasses"].values()},
            in_flight=dict(self._assumed.in_flight),
            footprints=self._footprints,
            find_group=self.find_group,
            decided=decided,
        )
