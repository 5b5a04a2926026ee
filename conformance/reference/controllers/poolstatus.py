"""The pool status controller: answers each ResourcePoolStatusRequest once, and removes it.

Source: "Observability of DRA" and KEP-5677. A request that was answered is never touched
again; one hour later it is removed.
"""

from __future__ import annotations

import copy
from datetime import datetime, timedelta

from conformance.dra.features import Features
from conformance.kube.objects import Object, name_of, uid_of
from conformance.kube.status import StatusError
from conformance.kube.times import format_time, parse
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers import pools
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.faults.seams import Faults

#: The metric of answered requests.
PROCESSED = "resourcepoolstatusrequest_controller_requests_processed_total"

#: How long an answered request is kept, and one that nobody could answer.
COMPLETED_TTL = timedelta(hours=1)
PENDING_TTL = timedelta(hours=24)

#: How often an incomplete pool is looked at again before it is reported as such, or an answer
#: that was refused is written again before it is dropped; and the seconds before the first of
#: these looks. Each further one waits twice as long (``maxRetries`` of 1.37.2's controller).
RETRIES = 5
FIRST_RETRY = 0.005


def seconds_to_live(request: Object, now: datetime) -> float:
    """Return how long the request may stay: counted from its answer, else its creation."""
    for condition in (request.get("status") or {}).get("conditions") or []:
        if condition["type"] in {"Complete", "Failed"}:
            expiry = parse(condition["lastTransitionTime"]) + COMPLETED_TTL
            return (expiry - now).total_seconds()
    ttl = COMPLETED_TTL if request.get("status") else PENDING_TTL
    return (parse(request["metadata"]["creationTimestamp"]) + ttl - now).total_seconds()


async def write_pool_status(client: ApiClient, request: Object) -> None:
    """Write the answer."""
    await client.update_status("resourcepoolstatusrequests", request)


async def delete_pool_request(client: ApiClient, request: Object) -> None:
    """Remove a request, if it is still the same one."""
    try:
        await client.delete("resourcepoolstatusrequests", name_of(request), uid=uid_of(request))
    except StatusError as error:
        if error.code != 404:
            raise


class PoolStatusController:
    """Answers requests from the slices and claims that it sees at that moment."""

    def __init__(
        self,
        client: ApiClient,
        informers: SharedInformers,
        *,
        clock: Clock,
        features: Features,
        faults: Faults,
    ) -> None:
        self._client = client
        self._clock = clock
        # The view needs its own gate and that of the devices that it shows.
        gates = ("DRAPartitionableDevicesType", "DRAPartitionableDevices")
        self._partitions = all(map(features.enabled, gates))
        self._requests = informers["resourcepoolstatusrequests"]
        self._slices = informers["resourceslices"]
        self._claims = informers["resourceclaims"]
        self._measures = informers.measures
        self.queue = WorkQueue(clock)
        self._attempts: dict[str, int] = {}
        informers.listen("resourcepoolstatusrequests", self._on_request)
        wrap = faults.wrap
        self._matching = wrap("controllers.matching_pools", pools.matching_pools)
        self._pool_status = wrap("controllers.pool_status", pools.pool_status)
        self._request_status = wrap("controllers.request_status", pools.request_status)
        self._is_processed = wrap("controllers.is_processed", pools.is_processed)
        self._seconds_to_live = wrap("controllers.seconds_to_live", seconds_to_live)
        self._write = wrap("controllers.write_pool_status", write_pool_status)
        self._delete = wrap("controllers.delete_pool_request", delete_pool_request)

    async def run(self) -> None:
        """Work until the queue is closed; what can't be written is dropped like upstream's."""
        await self.queue.run(self.reconcile, retries=RETRIES)

    def _on_request(self, kind: str, request: Object, _: Object | None) -> None:
        if kind == "DELETED":
            self._attempts.pop(uid_of(request), None)
        else:
            self.queue.add(name_of(request))

    async def reconcile(self, name: str) -> None:
        """Answer the request, or remove it when its time is over."""
        request = self._requests.get(name)
        if request is None:
            return
        left = self._seconds_to_live(request, self._clock.now())
        if left <= 0:
            await self._delete(self._client, request)
            return
        self.queue.add_after(name, left)
        if not self._is_processed(request):
            await self._answer(request)

    async def _answer(self, request: Object) -> None:
        now = format_time(self._clock.now())
        try:
            listed = self._calculate(request)
        except (LookupError, TypeError, ValueError) as error:
            # Slices or claims that do not say what the API promises that they say.
            status = pools.failure_status(f"Failed to calculate the pool status: {error!r}", now)
        else:
            if any(map(pools.is_incomplete, listed)) and self._try_again(request):
                return
            status = self._request_status(listed, request["spec"].get("limit"), now)
        await self._write(self._client, {**copy.deepcopy(request), "status": status})
        self._measures.count(PROCESSED, driver_name=request["spec"]["driver"])

    def _calculate(self, request: Object) -> list[Object]:
        claims = self._claims.values()
        return [
            self._pool_status(pool, request, claims, self._partitions)
            for pool in self._matching(request, self._slices.values())
        ]

    def _try_again(self, request: Object) -> bool:
        """Give a driver that is still publishing a moment; say no after the last retry."""
        attempt = self._attempts.get(uid_of(request), 0)
        if attempt >= RETRIES:
            return False
        self._attempts[uid_of(request)] = attempt + 1
        self.queue.add_after(name_of(request), FIRST_RETRY * 2**attempt)
        return True
