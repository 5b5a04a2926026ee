"""Publishing ResourceSlices: one pool per node, complete, current, and again when removed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import attrs

from conformance.kube import quantity
from conformance.kube.objects import Object, name_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.informer import Informer
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.driver.config import DriverConfig
from conformance.reference.faults.seams import Faults

#: Devices that one slice may hold, and how many where any of them uses a larger field.
SLICE_LIMIT = 128
SMALL_SLICE_LIMIT = 64

_LARGE_FIELDS = ("taints", "consumesCounters")
_KEY = "pool"


def chunks(devices: Sequence[Object]) -> list[list[Object]]:
    """Return the devices as they are spread over slices; at least one slice, maybe empty."""
    large = any(device.get(field) for device in devices for field in _LARGE_FIELDS)
    size = SMALL_SLICE_LIMIT if large else SLICE_LIMIT
    return [list(devices[i : i + size]) for i in range(0, len(devices), size)] or [[]]


def slice_specs(config: DriverConfig, node: str, generation: int) -> list[Object]:
    """Return the specs of the slices that make up the pool."""
    parts = [_devices(config, part) for part in chunks(config.devices)]
    if config.shared_counters:
        # A slice holds devices or counters, never both.
        parts.insert(0, {"sharedCounters": list(config.shared_counters)})
    pool: Object = {
        "name": config.pool or node,
        "generation": generation,
        "resourceSliceCount": len(parts),
    }
    return [{"driver": config.name, "nodeName": node, "pool": pool, **part} for part in parts]


def _devices(config: DriverConfig, devices: list[Object]) -> Object:
    partitionable = any(one.get("consumesCounters") for one in devices)
    if config.partition_type_attribute and partitionable:
        return {
            "partitionTypeAttribute": config.partition_type_attribute,
            "devices": devices,
        }
    return {"devices": devices}


def slice_object(spec: Object, node: Object) -> Object:
    """Return a slice to create: owned by its node, so that it goes when the node goes."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {
            "generateName": f"{name_of(node)}-{spec['driver']}-",
            "ownerReferences": [
                {
                    "apiVersion": "v1",
                    "kind": "Node",
                    "name": name_of(node),
                    "uid": node["metadata"]["uid"],
                    "controller": True,
                }
            ],
        },
        "spec": spec,
    }


def devices(config: DriverConfig) -> Sequence[Object]:
    """Return the devices as they are found when a driver starts."""
    return config.devices


async def refresh(_client: ApiClient, _clock: Clock, _driver: str) -> None:
    """Do to published slices what nobody asked for: nothing, since nothing has changed."""


def pause(seconds: float) -> float:
    """Return after how many seconds a write is tried again: as many as a busy server asks."""
    return seconds


def as_good_as_can_be(
    actual: Object, wanted: Object, kept: Sequence[tuple[Object, Object]]
) -> bool:
    """Tell whether a slice is what the server makes of the spec that is wanted."""
    return (wanted, actual) in kept


def kept_times(before: Object, after: Object) -> Object:
    """Return a spec in which taints that stay have the time that they had before."""
    times = {
        (device["name"], *_taint(one)): one["timeAdded"]
        for device in before.get("devices") or []
        for one in device.get("taints") or []
        if "timeAdded" in one
    }
    return {**after, "devices": [_timed(one, times) for one in after.get("devices") or []]}


def _timed(device: Object, times: Mapping[tuple[str, ...], str]) -> Object:
    known = [(one, times.get((device["name"], *_taint(one)))) for one in device.get("taints") or []]
    if not known:
        return device
    return {**device, "taints": [{**one, "timeAdded": at} if at else one for one, at in known]}


def _taint(one: Object) -> tuple[str, str, str]:
    return one["key"], one.get("value") or "", one["effect"]


class SlicePublisher:
    """Keeps the slices of one driver on one node as its configuration wants them."""

    def __init__(
        self, client: ApiClient, config: DriverConfig, node: str, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._config = attrs.evolve(config, devices=faults.wrap("driver.devices", devices)(config))
        self._clock = clock
        self._node = node
        self._specs = faults.wrap("driver.slice_specs", slice_specs)
        self._object = faults.wrap("driver.slice_object", slice_object)
        self._refresh = faults.wrap("driver.refresh", refresh)
        self._publish = faults.wrap("driver.publish", self._reconcile)
        self._pause = faults.wrap("driver.pause", pause)
        self._times = faults.wrap("driver.taint_times", kept_times)
        self._as_good = faults.wrap("driver.as_good_as_can_be", as_good_as_can_be)
        #: Specs that the server stored otherwise than they were sent, each with what it made of it.
        self._kept: list[tuple[Object, Object]] = []
        #: Whether everything was published once.
        self.published = False
        self._queue = WorkQueue(clock)
        self._informer = Informer(
            client,
            "resourceslices",
            field_selector=f"spec.driver={config.name},spec.nodeName={node}",
            on_event=lambda *_: self._queue.add(_KEY),
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Publish, and keep it so."""
        await self._informer.synced()
        self._queue.add(_KEY)
        self._tasks = [
            asyncio.ensure_future(self._queue.run(self._publish)),
            asyncio.ensure_future(self._refresh(self._client, self._clock, self._config.name)),
        ]

    def update(self, config: DriverConfig) -> None:
        """Publish another set of devices."""
        self._config = config
        self._queue.add(_KEY)

    async def stop(self) -> None:
        """Stop to publish; the slices stay."""
        await self._informer.stop()
        self._queue.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _reconcile(self, _key: str) -> None:
        try:
            await self._write()
        except StatusError as error:
            # A server that is busy says for how long it wants to be left alone.
            asked = error.details.get("retryAfterSeconds")
            if not asked:
                raise
            self._queue.add_after(_KEY, self._pause(float(asked)))

    async def _write(self) -> None:
        present = await self._present()
        generation = max((_generation(item) for item in present), default=1)
        wanted = self._specs(self._config, self._node, generation)
        if not all(any(self._is(item, spec) for spec in wanted) for item in present):
            # Something else than a missing slice: consumers must not mix old and new.
            wanted = self._specs(self._config, self._node, generation + 1)
        missing = list(wanted)
        stale: list[Object] = []
        for item in present:
            spec = next((spec for spec in missing if self._is(item, spec)), None)
            if spec is None:
                stale.append(item)
            else:
                missing.remove(spec)
        for item, spec in zip(stale, missing, strict=False):
            timed = self._times(item["spec"], spec) if "devices" in spec else spec
            self._note(spec, await self._client.update("resourceslices", {**item, "spec": timed}))
        for item in stale[len(missing) :]:
            await self._delete(item)
        await self._create(missing[len(stale) :])
        self.published = True

    async def _present(self) -> list[Object]:
        # Read anew: the informer's copy may not have what was created a moment ago.
        slices, _ = await self._client.list("resourceslices")
        mine = (self._config.name, self._node)
        return [
            item
            for item in slices
            if (item["spec"]["driver"], item["spec"].get("nodeName")) == mine
        ]

    async def _create(self, specs: Sequence[Object]) -> None:
        if not specs:
            return
        node = await self._client.get("nodes", self._node)
        for spec in specs:
            made = await self._client.create("resourceslices", self._object(spec, node))
            self._note(spec, made)

    def _note(self, spec: Object, stored: Object) -> None:
        """Remember what became of a spec: a server without a feature drops its fields."""
        if not _covers(stored["spec"], spec):
            self._kept.append((spec, stored["spec"]))

    def _is(self, item: Object, spec: Object) -> bool:
        same = _covers(item["spec"], spec) and _tainted(item["spec"]) == _tainted(spec)
        return same or self._as_good(item["spec"], spec, self._kept)

    async def _delete(self, item: Object) -> None:
        try:
            await self._client.delete("resourceslices", name_of(item))
        except StatusError as error:
            if error.code != 404:
                raise


def _generation(item: Object) -> int:
    return int(item["spec"]["pool"]["generation"])


def _tainted(spec: Object) -> Mapping[str, list[tuple[str, str, str]]]:
    """Return the taints of each device, whenever they were added."""
    devices = spec.get("devices") or []
    return {one["name"]: [_taint(taint) for taint in one.get("taints") or []] for one in devices}


def _covers(actual: object, wanted: object) -> bool:
    """Tell whether everything wanted stands in what the API server has made of it."""
    if isinstance(wanted, dict) and isinstance(actual, dict):
        return all(
            _covers(actual.get(key), value) or (key == "value" and _same(actual.get(key), value))
            for key, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(actual, list):
        return len(actual) == len(wanted) and all(map(_covers, actual, wanted))
    return actual == wanted


def _same(actual: object, wanted: object) -> bool:
    """Tell whether two amounts are one: the API server spells it in its own way."""
    try:
        return quantity.parse(actual) == quantity.parse(wanted)
    except quantity.QuantityError:
        return False
