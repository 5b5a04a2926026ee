"""The entries ``allocatedResourcesStatus`` of a container (KEP-4680)."""

from __future__ import annotations

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.info import ClaimInfo, PreparedDevice
from conformance.reference.kubelet.health.cache import DeviceHealth, HealthCache


def resource_name(pod_claim: str, request: str) -> str:
    """Return the name of an entry: ``claim:<claim of the Pod>[/<request>]``."""
    return f"claim:{pod_claim}/{request}" if request else f"claim:{pod_claim}"


def resource_id(driver: str, device: PreparedDevice) -> str:
    """Return what identifies a device: its first CDI device, else ``driver/pool/device``."""
    return device.cdi_ids[0] if device.cdi_ids else f"{driver}/{device.pool}/{device.device}"


def with_message(entry: Object, health: DeviceHealth) -> Object:
    """Return the health entry of a device with the driver's message, where it has one."""
    return {**entry, "message": health.message} if health.message else entry


@attrs.define(slots=False)
class HealthEntries:
    """Reads claims and health as status entries.

    ``messages`` is the gate ResourceHealthStatusMessage.
    """

    claims: ClaimCache
    health: HealthCache
    faults: Faults
    messages: bool

    def __attrs_post_init__(self) -> None:
        """Offer the seams."""
        self._name = self.faults.wrap("kubelet.health_name", resource_name)
        self._id = self.faults.wrap("kubelet.health_resource_id", resource_id)
        self._with_message = self.faults.wrap("kubelet.health_with_message", with_message)
        self._device_entry = self.faults.wrap("kubelet.health_entry", self._entry)
        self._of = self.faults.wrap("kubelet.health_entries", self._entries)

    def of(self, pod: Object, container: Object) -> list[Object]:
        """Return the entries of one container, in the order of its claims."""
        return self._of(pod, container)

    def _entries(self, pod: Object, container: Object) -> list[Object]:
        entries: list[Object] = []
        for pod_claim, request, claim in self.claims.of_container(pod, container):
            resources = self._resources(claim, request)
            if resources:
                entries.append({"name": self._name(pod_claim, request), "resources": resources})
        return entries

    def _resources(self, claim: ClaimInfo, request: str) -> list[Object]:
        resources: dict[str, Object] = {}
        for driver, device in claim.devices(request):
            # Several devices may share a CDI device: the first one speaks for it.
            resources.setdefault(self._id(driver, device), self._device_entry(driver, device))
        return list(resources.values())

    def _entry(self, driver: str, device: PreparedDevice) -> Object:
        health = self.health.get(driver, device.pool, device.device)
        entry = {"resourceID": self._id(driver, device), "health": health.health}
        return self._with_message(entry, health) if self.messages else entry
