"""What a ResourcePoolStatusRequest is answered with: the state of each pool of a driver.

Pure: slices and claims in, the status out. Source: KEP-5677, and the controller of
kube-controller-manager 1.37 (resourcepoolstatusrequest).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.controllers.views import PoolView, pool_views
from conformance.reference.podclaims import results_of

#: How many pools are listed when the request does not say (v1alpha3 default).
DEFAULT_LIMIT = 100

#: Longest ``validationError`` that the API takes, in bytes.
_MESSAGE_BYTES = 256

#: Effects of a taint that make a device unavailable.
_UNAVAILABLE = {"NoSchedule", "NoExecute"}

#: Starts the one ``validationError`` that may pass by itself.
INCOMPLETE = "PoolIncomplete:"


@attrs.frozen(kw_only=True)
class Pool:
    """The slices of one pool at its newest generation."""

    driver: str
    name: str
    generation: int
    slices: tuple[Object, ...]

    @property
    def expected_slices(self) -> int:
        """Return how many slices the driver says that there are."""
        return int(self.slices[0]["spec"]["pool"]["resourceSliceCount"])

    @property
    def node_name(self) -> str | None:
        """Return the node of the pool, where all its slices agree on one."""
        names = {one["spec"].get("nodeName") for one in self.slices}
        return names.pop() if len(names) == 1 else None

    @property
    def devices(self) -> list[Object]:
        """Return the devices of all slices."""
        return [device for one in self.slices for device in one["spec"].get("devices") or []]


def matching_pools(request: Object, slices: Iterable[Object]) -> list[Pool]:
    """Return the pools that the request asks about, by name, at their newest generation."""
    driver = request["spec"]["driver"]
    wanted = request["spec"].get("poolName")
    by_name: dict[str, list[Object]] = {}
    for one in slices:
        pool = one["spec"]["pool"]["name"]
        if one["spec"]["driver"] == driver and wanted in (None, pool):
            by_name.setdefault(pool, []).append(one)
    return [newest(driver, name, by_name[name]) for name in sorted(by_name)]


def newest(driver: str, name: str, slices: Sequence[Object]) -> Pool:
    """Return the pool made of its slices of the newest generation only."""
    generation = max(int(one["spec"]["pool"]["generation"]) for one in slices)
    current = [one for one in slices if int(one["spec"]["pool"]["generation"]) == generation]
    current.sort(key=lambda one: one["metadata"]["name"])
    return Pool(driver=driver, name=name, generation=generation, slices=tuple(current))


def is_unavailable(device: Object) -> bool:
    """Tell whether a taint keeps new claims away from the device."""
    return any(taint.get("effect") in _UNAVAILABLE for taint in device.get("taints") or [])


def devices_in_use(pool: Pool, claims: Iterable[Object]) -> set[str]:
    """Return the names of the pool's devices that are allocated; admin access does not count.

    A device that several claims share counts once.
    """
    return {
        result["device"]
        for claim in claims
        for result in results_of(claim)
        if result["driver"] == pool.driver
        and result["pool"] == pool.name
        and not result.get("adminAccess")
    }


def device_counts(pool: Pool, in_use: set[str]) -> dict[str, int]:
    """Return the four counts; available is what is neither allocated nor unavailable."""
    total = len(pool.devices)
    unavailable = sum(is_unavailable(device) for device in pool.devices)
    return {
        "resourceSliceCount": len(pool.slices),
        "totalDevices": total,
        "allocatedDevices": len(in_use),
        "availableDevices": max(0, total - len(in_use) - unavailable),
        "unavailableDevices": unavailable,
    }


def incompleteness(pool: Pool) -> str | None:
    """Return what is missing while the driver is still publishing the pool."""
    if len(pool.slices) >= pool.expected_slices:
        return None
    return (
        f"{INCOMPLETE} pool {pool.driver}/{pool.name} is incomplete: observed "
        f"{len(pool.slices)}/{pool.expected_slices} slices at generation {pool.generation}"
    )


def pool_status(pool: Pool, request: Object, claims: Sequence[Object], partitions: bool) -> Object:
    """Return the entry of ``status.pools``; ``partitions`` is DRAPartitionableDevicesType."""
    status: dict[str, Any] = {
        "driver": pool.driver,
        "poolName": pool.name,
        "generation": pool.generation,
    }
    if pool.node_name:
        status["nodeName"] = pool.node_name
    missing = incompleteness(pool)
    if missing:
        status["validationError"] = missing[:_MESSAGE_BYTES]
        return status
    in_use = devices_in_use(pool, claims)
    status.update(device_counts(pool, in_use))
    default = request["spec"].get("defaultPartitionTypeAttribute")
    view = PoolView(
        driver=pool.driver,
        pool=pool.name,
        slices=pool.slices,
        in_use=frozenset(in_use),
        claims=tuple(claims),
        default_attribute=default if partitions else None,
        partitions=partitions,
    )
    summaries, trouble = pool_views(view)
    status.update(summaries)
    if trouble:
        status["validationError"] = trouble[:_MESSAGE_BYTES]
    return status


def truncated(pools: Sequence[Object], limit: int | None) -> list[Object]:
    """Return as many pools as the request wants to see."""
    return list(pools[: DEFAULT_LIMIT if limit is None else limit])


def is_incomplete(pool: Object) -> bool:
    """Tell whether this entry may become better when the driver publishes more."""
    return str(pool.get("validationError", "")).startswith(INCOMPLETE)


def request_status(pools: Sequence[Object], limit: int | None, now: str) -> Object:
    """Return the whole status: all pools are counted, the first ones are listed."""
    listed = truncated(pools, limit)
    troubled = sum("validationError" in pool for pool in listed)
    message = f"Calculated status for {len(listed)} pools"
    return {
        "poolCount": len(pools),
        "pools": listed,
        "conditions": [
            {
                "type": "Complete",
                "status": "True",
                "reason": "CalculationComplete",
                "message": f"{message} ({troubled} incomplete)" if troubled else message,
                "lastTransitionTime": now,
            }
        ],
    }


def failure_status(message: str, now: str) -> Object:
    """Return the status of a request that could not be answered."""
    return {
        "poolCount": 0,
        "conditions": [
            {
                "type": "Failed",
                "status": "True",
                "reason": "CalculationFailed",
                "message": message,
                "lastTransitionTime": now,
            }
        ],
    }


def is_processed(request: Object) -> bool:
    """Tell whether the request was answered: that happens once."""
    return bool(request.get("status"))
