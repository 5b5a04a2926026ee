"""Removing the node's ResourceSlices of drivers that are gone.

A kubelet does so when it starts (no driver has registered yet) and when a driver did not
come back in time: otherwise Pods would be scheduled to a node that can't start them.
"""

from __future__ import annotations

from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient, Unreachable
from conformance.reference.clock import Clock

#: Seconds before a failed removal is tried again: first, and at most.
FIRST_RETRY = 1.0
LAST_RETRY = 300.0


class SliceWiper:
    """Deletes ResourceSlices whose ``spec.nodeName`` is this node."""

    def __init__(self, client: ApiClient, node: str, clock: Clock) -> None:
        self._client = client
        self._node = node
        self._clock = clock

    async def wipe(self, driver: str | None) -> None:
        """Delete the slices of one driver (``None``: of every driver); tries until it is done."""
        delay = FIRST_RETRY
        while True:
            try:
                await self._delete(driver)
            except (StatusError, Unreachable):
                await self._clock.sleep(delay)
                delay = min(delay * 2, LAST_RETRY)
            else:
                return

    async def _delete(self, driver: str | None) -> None:
        slices, _ = await self._client.list("resourceslices")
        for item in slices:
            spec = item["spec"]
            if spec.get("nodeName") != self._node or driver not in {None, spec["driver"]}:
                continue
            try:
                await self._client.delete("resourceslices", item["metadata"]["name"])
            except StatusError as error:
                if error.code != 404:
                    raise
