"""Removing the node's ResourceSlices of drivers that are gone.

A kubelet does so when it starts (no driver has registered yet) and when a driver did not
come back in time: otherwise Pods would be scheduled to a node that can't start them.
"""

from __future__ import annotations

from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient, Unreachable
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults

#: Seconds before a failed removal is tried again: first, and at most.
FIRST_RETRY = 1.0
LAST_RETRY = 300.0


class SliceWiper:
    """Deletes ResourceSlices whose ``spec.nodeName`` is this node."""

    def __init__(self, client: ApiClient, node: str, clock: Clock, faults: Faults) -> None:
        self._client = client
        self._node = node
        self._clock = clock
        self._delete = faults.wrap("kubelet.wipe_slices", delete_slices)

    async def wipe(self, driver: str | None) -> None:
        """Delete the slices of one driver (``None``: of every driver); tries until it is done."""
        delay = FIRST_RETRY
        while True:
            try:
                await self._delete(self._client, self._node, driver)
            except (StatusError, Unreachable):
                await self._clock.sleep(delay)
                delay = min(delay * 2, LAST_RETRY)
            else:
                return


async def delete_slices(client: ApiClient, node: str, driver: str | None) -> None:
    """Delete a node's slices of one driver, ``None`` for all; raises ``StatusError``."""
    fields = {"spec.nodeName": node, **({"spec.driver": driver} if driver else {})}
    await client.delete_collection("resourceslices", fields)
