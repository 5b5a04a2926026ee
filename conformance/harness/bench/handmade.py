"""Claims that are allocated by hand, as a scheduler writes it.

Only devices come into question that nothing stands against: on the driver's node, in no other
claim, without taints or binding conditions. Of a device that several claims can share, a claim
gets a share with all of its capacity. Devices that draw from common counters may exclude each
other, so at most one is taken.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from conformance.harness.claims import CLAIMS
from conformance.harness.errors import Unsupported
from conformance.harness.subject import inventory
from conformance.harness.subject.deviceclass import CLASSES
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World
from conformance.kube.objects import Object

#: The name of the one request for devices of the driver.
REQUEST = "device"

#: A driver that does not exist, whose devices and configuration stand in a claim as well.
STRANGER = "stranger.dra-conformance.test"

#: What of the stranger stands in a claim.
DEVICE, CONFIG = "device", "config"

_ASIDE = ("taints", "bindingConditions")


@attrs.frozen
class Place:
    """One device by pool and name; ``shares`` is what a share of it consumes, None without."""

    pool: str
    device: str
    shares: Mapping[str, str] | None = attrs.field(default=None, kw_only=True)


def places(world: World, found: Inventory, driver: Driver, node: str) -> list[Place]:
    """Return the devices of a node that claims may have for themselves."""
    used = {
        (one["pool"], one["device"])
        for claim in world.api.list(CLAIMS)
        for one in inventory.results(claim)
        if one["driver"] == driver.name
    }
    free: list[Place] = []
    sharing: list[Place] = []
    for pool in found.pools:
        for device in pool.devices if pool.nodes == [node] else ():
            place = Place(pool.name, device["name"], shares=_shares(device))
            if (place.pool, place.device) not in used and not any(map(device.get, _ASIDE)):
                (sharing if device.get("consumesCounters") else free).append(place)
    return free or sharing[:1]


def _shares(device: Object) -> Mapping[str, str] | None:
    if not device.get("allowMultipleAllocations"):
        return None
    return {name: one["value"] for name, one in (device.get("capacity") or {}).items()}


def take(free: Sequence[Place], count: int) -> list[Place]:
    """Return so many of them; raises ``Unsupported``."""
    if len(free) < count:
        raise Unsupported(
            f"the check needs {count} free devices on one node without taints, binding "
            f"conditions and common counters, and there are {len(free)}"
        )
    return list(free[:count])


def create(world: World, driver: Driver, name: str, *, stranger: str = "") -> Object:
    """Create a claim for the driver's class, and maybe for a stranger's ``DEVICE`` as well."""
    exactly = {"deviceClassName": driver.device_class, "allocationMode": "All"}
    names = [REQUEST, "stranger"] if stranger == DEVICE else [REQUEST]
    requests = [{"name": one, "exactly": exactly} for one in names]
    return requested(world, name, requests)


def requested(world: World, name: str, requests: list[Object]) -> Object:
    """Create a claim with these requests."""
    return world.create(
        {
            "apiVersion": CLAIMS.api_version,
            "kind": CLAIMS.kind,
            "metadata": {"name": name},
            "spec": {"devices": {"requests": requests}},
        }
    )


def allocation(
    world: World,
    driver: Driver,
    node: str,
    claim: Object,
    devices: Sequence[Place],
    *,
    stranger: str = "",
) -> Object:
    """Return an allocation of devices to a claim, with the configuration of the driver's class.

    ``stranger`` adds a ``DEVICE`` or a ``CONFIG`` of another driver.
    """
    uid = claim["metadata"]["uid"]
    results = [_result(REQUEST, driver.name, one) | _share(uid, one) for one in devices]
    config = class_config(world, driver)
    if stranger == DEVICE:
        # Another driver may call a device just as this one does.
        results.append(_result("stranger", STRANGER, Place("pool", devices[0].device)))
    if stranger == CONFIG:
        config.append(told([], {"driver": STRANGER, "parameters": {"kind": "Strange"}}))
    node_name = {"key": "metadata.name", "operator": "In", "values": [node]}
    return {
        "devices": {"results": results, **({"config": config} if config else {})},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [node_name]}]},
    }


def class_config(world: World, driver: Driver) -> list[Object]:
    """Return the configuration of the class as a scheduler copies it into an allocation."""
    spec: Any = world.api.get(CLASSES, driver.device_class)["spec"]
    return [
        {"source": "FromClass", "requests": [REQUEST], **one} for one in spec.get("config") or []
    ]


def told(requests: list[str], opaque: Object) -> Object:
    """Return opaque configuration as it stands in an allocation, from the claim itself."""
    return {"source": "FromClaim", "requests": requests, "opaque": opaque}


def _share(uid: str, place: Place) -> Object:
    """Return which share of a device a claim has: one of its own, with all of the capacity."""
    if place.shares is None:
        return {}
    share = str(uuid.uuid5(uuid.UUID(uid), f"{place.pool}/{place.device}"))
    consumed = {"consumedCapacity": dict(place.shares)} if place.shares else {}
    return {"shareID": share, **consumed}


def _result(request: str, driver: str, place: Place) -> Object:
    return {"request": request, "driver": driver, "pool": place.pool, "device": place.device}
