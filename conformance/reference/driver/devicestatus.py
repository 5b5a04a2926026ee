"""Reporting device status in the claim: ``status.devices`` (KEP-4817), binding conditions too.

Source of the latter: "How DRA Works", section "Device binding conditions" (KEP-5007). The
driver plays the external controller of its own devices: it attaches what was allocated and
says so by conditions, before a Pod is bound.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from conformance.kube.objects import Object, key_of, uid_of
from conformance.kube.status import StatusError
from conformance.kube.times import format_time
from conformance.reference.client.api import ApiClient
from conformance.reference.client.informer import Informer
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.driver.checkpoint import PreparedClaim
from conformance.reference.driver.config import BindingConfig
from conformance.reference.faults.seams import Faults

#: Attempts to write a status that others write as well.
_ATTEMPTS = 5

#: What tells one entry of ``status.devices`` from another.
_IDENTITY = ("driver", "pool", "device", "shareID")


def device_status(
    driver: str, claim: PreparedClaim, network_data: Mapping[str, Object], now: str
) -> list[Object]:
    """Return the entries of a prepared claim; ``now`` is the time of their condition."""
    entries: list[Object] = []
    for device in claim.devices:
        entry: Object = {
            "driver": driver,
            "pool": device.pool,
            "device": device.device,
            "conditions": [
                {
                    "type": "Ready",
                    "status": "True",
                    "reason": "Prepared",
                    "message": "the device is prepared for the claim",
                    "lastTransitionTime": now,
                }
            ],
        }
        if device.share_id:
            entry["shareID"] = device.share_id
        if device.device in network_data:
            entry["networkData"] = network_data[device.device]
        entries.append(entry)
    return entries


def binding_condition(wanted: Object, before: Object | None, now: str) -> Object:
    """Return a condition as it is to be written: its time moves when its status changes."""
    unchanged = before is not None and before["status"] == wanted["status"]
    time = before["lastTransitionTime"] if before is not None and unchanged else now
    return {**wanted, "lastTransitionTime": time}


class DeviceStatusWriter:
    """Writes the driver's entries, and leaves those of other drivers alone."""

    def __init__(
        self,
        client: ApiClient,
        driver: str,
        network_data: Mapping[str, Object],
        *,
        clock: Clock,
        faults: Faults,
    ) -> None:
        self._client = client
        self._driver = driver
        self._network_data = network_data
        self._clock = clock
        self._entries = faults.wrap("driver.device_status", device_status)

    async def write(self, prepared: PreparedClaim) -> None:
        """Report every device of a claim; a claim that has gone meanwhile is no error.

        Raises ``StatusError`` when the API server refuses.
        """
        now = format_time(self._clock.now())
        entries = self._entries(self._driver, prepared, self._network_data, now)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                await self._write(prepared, entries)
            except StatusError as error:
                if error.code == 404:
                    return
                if error.code != 409 or attempt == _ATTEMPTS:
                    raise
            else:
                return

    async def _write(self, prepared: PreparedClaim, entries: list[Object]) -> None:
        claim = await self._client.get("resourceclaims", prepared.name, prepared.namespace)
        if claim["metadata"]["uid"] != prepared.uid:
            return
        await write_devices(self._client, claim, entries)


class BindingReporter:
    """Reports the binding conditions of allocated devices, for as long as it runs."""

    def __init__(
        self,
        client: ApiClient,
        driver: str,
        config: BindingConfig,
        *,
        clock: Clock,
        faults: Faults,
    ) -> None:
        self._client = client
        self._driver = driver
        self._config = config
        self._clock = clock
        self._condition = faults.wrap("driver.binding_condition", binding_condition)
        #: When a claim was first seen allocated, in seconds of the clock, by its uid.
        self._seen: dict[str, float] = {}
        self._queue = WorkQueue(clock)
        self._claims = Informer(client, "resourceclaims", on_event=self._on_claim)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Report from now on."""
        await self._claims.synced()
        self._task = asyncio.ensure_future(self._queue.run(self._reconcile))

    async def stop(self) -> None:
        """Report no longer; what was reported stays."""
        await self._claims.stop()
        self._queue.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _on_claim(self, _kind: str, claim: Object, _old: Object | None) -> None:
        self._queue.add(key_of(claim))

    async def _reconcile(self, key: str) -> None:
        claim = self._claims.get(key)
        results = [] if claim is None else self._waited_for(claim)
        if claim is None or not results:
            return
        since = self._seen.setdefault(uid_of(claim), self._clock.monotonic())
        left = since + self._config.attach_seconds - self._clock.monotonic()
        entries = [self._entry(claim, result, attached=left <= 0) for result in results]
        if entries != self._reported(claim, results):
            await write_devices(self._client, claim, entries)
        self._queue.add_after(key, left if left > 0 else self._config.renew_seconds)

    def _waited_for(self, claim: Object) -> list[Object]:
        allocation = (claim.get("status") or {}).get("allocation")
        if not allocation:
            self._seen.pop(uid_of(claim), None)
            return []
        return [
            result
            for result in allocation["devices"].get("results") or []
            if result["driver"] == self._driver and result.get("bindingConditions")
        ]

    def _reported(self, claim: Object, results: list[Object]) -> list[Object | None]:
        rows = claim["status"].get("devices") or []
        return [_find(rows, result) for result in results]

    def _entry(self, claim: Object, result: Object, *, attached: bool) -> Object:
        before = _find(claim["status"].get("devices") or [], result) or {
            name: result[name] for name in _IDENTITY if name in result
        }
        known = {one["type"]: one for one in before.get("conditions") or []}
        now = format_time(self._clock.now())
        for wanted in _wanted(result, attached=attached):
            known[wanted["type"]] = self._condition(wanted, known.get(wanted["type"]), now)
        return {**before, "conditions": list(known.values())}


async def write_devices(client: ApiClient, claim: Object, entries: list[Object]) -> None:
    """Put entries into a claim's status, beside those of other devices.

    Conditions of other types that stand in an entry already stay. Raises ``StatusError``.
    """
    rows = (claim.get("status") or {}).get("devices") or []
    fresh = [_merged(_find(rows, entry), entry) for entry in entries]
    others = [row for row in rows if _find(entries, row) is None]
    status = {**claim.get("status", {}), "devices": [*others, *fresh]}
    await client.update_status("resourceclaims", {**claim, "status": status})


def _wanted(result: Object, *, attached: bool) -> list[Object]:
    reason = "Attached" if attached else "Attaching"
    ready = [(name, attached) for name in result["bindingConditions"]]
    failed = [(name, False) for name in result.get("bindingFailureConditions") or []]
    return [
        {
            "type": name,
            "status": str(holds),
            "reason": reason,
            "message": f"device {result['device']} is {reason.lower()}",
        }
        for name, holds in (*ready, *failed)
    ]


def _merged(before: Object | None, entry: Object) -> Object:
    replaced = {one["type"] for one in entry["conditions"]}
    kept = [one for one in (before or {}).get("conditions") or [] if one["type"] not in replaced]
    return {**entry, "conditions": [*kept, *entry["conditions"]]}


def _find(rows: list[Object], wanted: Object) -> Object | None:
    return next((row for row in rows if _identity(row) == _identity(wanted)), None)


def _identity(row: Object) -> list[object]:
    return [row.get(name) for name in _IDENTITY]
