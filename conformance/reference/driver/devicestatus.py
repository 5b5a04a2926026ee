"""Reporting device status in the claim: ``status.devices`` (KEP-4817)."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.kube.times import format_time
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import Clock
from conformance.reference.driver.checkpoint import PreparedClaim
from conformance.reference.faults.seams import Faults

#: Attempts to write a status that others write as well.
_ATTEMPTS = 5


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
        status = claim.get("status", {})
        others = [entry for entry in status.get("devices") or [] if entry["driver"] != self._driver]
        await self._client.update_status(
            "resourceclaims", {**claim, "status": {**status, "devices": [*others, *entries]}}
        )
