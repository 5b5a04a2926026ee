"""What the kubelet knows of a claim on its node: which Pods use it, which devices it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.reference.kubelet.registration.plugin import ClaimRef
from conformance.reference.podclaims import allocation_of, results_in

#: Values of an allocation result's ``skipNodeOperations`` (KEP-5945).
SKIP_ALL = "*"
SKIP_PREPARE = "NodePrepareResources"
SKIP_UNPREPARE = "NodeUnprepareResources"


class ClaimNotUsable(RuntimeError):
    """A claim can't be prepared for this Pod now; the message says why."""


@attrs.frozen(kw_only=True)
class PreparedDevice:
    """One device as the driver named it when it prepared the claim.

    No request means that it belongs to every request of the claim.
    """

    pool: str
    device: str
    requests: tuple[str, ...] = ()
    cdi_ids: tuple[str, ...] = ()
    share_id: str | None = None


@attrs.define(kw_only=True)
class DriverState:
    """The part of one driver in a claim: its devices, and the calls that it does without."""

    devices: list[PreparedDevice] = attrs.field(factory=list[PreparedDevice])
    skips: tuple[str, ...] = ()

    def skipped(self, operation: str) -> bool:
        """Tell whether the driver does without this call."""
        return SKIP_ALL in self.skips or operation in self.skips


@attrs.define(kw_only=True)
class ClaimInfo:
    """A claim that was prepared, or is about to be, on this node.

    ``prepared`` does not survive a restart: whoever restarts prepares again, which drivers
    must tolerate. ``unpreparing`` keeps further Pods away while the driver cleans up.
    """

    ref: ClaimRef
    pods: set[str] = attrs.field(factory=set[str])
    drivers: dict[str, DriverState] = attrs.field(factory=dict[str, DriverState])
    prepared: bool = False
    unpreparing: bool = False

    def cdi_ids(self, request: str) -> list[str]:
        """Return the CDI devices of one request, of all requests when it is empty."""
        return [cdi_id for _, device in self.devices(request) for cdi_id in device.cdi_ids]

    def devices(self, request: str) -> list[tuple[str, PreparedDevice]]:
        """Return driver and device for one request, for all requests when it is empty."""
        return [
            (driver, device)
            for driver, state in self.drivers.items()
            for device in state.devices
            if not request or not device.requests or parent_request(request) in device.requests
        ]


def parent_request(reference: str) -> str:
    """Return the request of a ``request/subrequest`` reference."""
    return reference.split("/", 1)[0]


def info_of(claim: Object, *, optional_operations: bool) -> ClaimInfo:
    """Return what is known of a claim before it is prepared.

    ``optional_operations`` is the gate DRAOptionalNodeOperations. Raises ``ClaimNotUsable``
    for a claim without allocation, and for one that needs the gate while it is off.
    """
    allocation = allocation_of(claim)
    if allocation is None:
        raise ClaimNotUsable(f"ResourceClaim {name_of(claim)}: not allocated")
    drivers = {
        driver: DriverState(skips=_common_skips(results))
        for driver, results in _by_driver(results_in(allocation)).items()
    }
    if not optional_operations and any(state.skips for state in drivers.values()):
        raise ClaimNotUsable(
            f"ResourceClaim {name_of(claim)}: "
            "DRAOptionalNodeOperations feature gate is disabled on kubelet"
        )
    ref = ClaimRef(namespace=namespace_of(claim), name=name_of(claim), uid=uid_of(claim))
    return ClaimInfo(ref=ref, drivers=drivers)


def prepared_devices(answer: Any) -> list[PreparedDevice]:
    """Return the devices of one claim in the answer to NodePrepareResources."""
    return [
        PreparedDevice(
            pool=device.pool_name,
            device=device.device_name,
            requests=tuple(device.request_names),
            cdi_ids=tuple(device.cdi_device_ids),
            share_id=getattr(device, "share_id", "") or None,
        )
        for device in answer.devices
    ]


def _by_driver(results: Iterable[Object]) -> Mapping[str, list[Object]]:
    grouped: dict[str, list[Object]] = {}
    for result in results:
        grouped.setdefault(result["driver"], []).append(result)
    return grouped


def _common_skips(results: Sequence[Object]) -> tuple[str, ...]:
    # An operation is skipped only where every device of the driver allows it.
    allowed = [set[str](result.get("skipNodeOperations") or []) for result in results]
    if all(SKIP_ALL in skips for skips in allowed):
        return (SKIP_ALL,)
    operations = (SKIP_PREPARE, SKIP_UNPREPARE)
    return tuple(
        operation
        for operation in operations
        if all(skips & {SKIP_ALL, operation} for skips in allowed)
    )
