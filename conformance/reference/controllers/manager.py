"""The controller manager: every controller of the reference on shared informers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from conformance.dra.features import Features
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.claims import ClaimController
from conformance.reference.controllers.eviction.loop import DeviceTaintEviction
from conformance.reference.controllers.garbage import OWNERS, GarbageCollector
from conformance.reference.controllers.namespaces.quotas import COUNTED, QuotaController
from conformance.reference.controllers.orphans import OrphanedPods
from conformance.reference.controllers.poolstatus import PoolStatusController
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.controllers.workloads.groupclaims import GroupClaims
from conformance.reference.controllers.workloads.protection import PodGroupProtection
from conformance.reference.controllers.workloads.replicasets import ReplicaSetController
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.measuring.endpoint import Endpoint, at_once
from conformance.reference.measuring.measures import Measures, text


class Told(TypedDict):
    """What every controller is told."""

    clock: Clock
    faults: Faults


class Controller(Protocol):
    """What the manager asks of a controller."""

    queue: WorkQueue

    async def run(self) -> None:
        """Work until the queue is closed."""
        ...


class ControllerManager:
    """Starts and stops the controllers together.

    ``client`` fills the informers that they share; ``client_of`` gives the one as which a
    controller of that name acts.
    """

    def __init__(
        self,
        client: ApiClient,
        client_of: Callable[[str], ApiClient],
        *,
        clock: Clock,
        features: Features,
        faults: Faults = NONE,
    ) -> None:
        # The gate decides both: without it the API is not served, so nothing can be watched.
        pool_status = features.enabled("DRAResourcePoolStatus")
        eviction = features.enabled("DRADeviceTaints")
        gated = {
            "resourcepoolstatusrequests": pool_status,
            "devicetaintrules": features.heeds_rules,
            "podgroups": features.groups_pods,
        }
        watched = [*OWNERS, *COUNTED, *(plural for plural, wanted in gated.items() if wanted)]
        self._informers = SharedInformers(client, watched)
        self._told = faults.wrap("controllers.metrics", Measures.samples)
        self._endpoint = Endpoint(at_once(self._tell))
        #: Where its metrics are served; nothing before ``start``.
        self.metrics_url = ""
        shared = self._informers
        told: Told = {"clock": clock, "faults": faults}
        self._controllers: list[Controller] = [
            ClaimController(client_of("resource-claim-controller"), shared, **told),
            GarbageCollector(client_of("generic-garbage-collector"), shared, **told),
            OrphanedPods(client_of("pod-garbage-collector"), shared, clock=clock),
            QuotaController(client_of("resourcequota-controller"), shared, **told),
            ReplicaSetController(client_of("replicaset-controller"), shared, clock=clock),
        ]
        if gated["podgroups"]:
            self._controllers += [
                PodGroupProtection(client_of("podgroup-protection-controller"), shared, **told),
                GroupClaims(client_of("resource-claim-controller"), shared, **told),
            ]
        if pool_status:
            asker = client_of("resourcepoolstatusrequest-controller")
            self._controllers.append(PoolStatusController(asker, shared, features=features, **told))
        if eviction:
            asker = client_of("device-taint-eviction-controller")
            self._controllers.append(DeviceTaintEviction(asker, shared, features=features, **told))
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Return once every cache is filled and every controller works."""
        self.metrics_url = f"http://127.0.0.1:{await self._endpoint.start()}/metrics"
        await self._informers.start()
        self._tasks = [asyncio.ensure_future(one.run()) for one in self._controllers]

    async def stop(self) -> None:
        """Stop working; what was begun stays as it is in the API."""
        for one in self._controllers:
            one.queue.close()
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._informers.stop()
        await self._endpoint.stop()

    def _tell(self, parts: Sequence[str]) -> tuple[int, str]:
        if list(parts) != ["metrics"]:
            return 404, "404 page not found\n"
        return 200, text(self._told(self._informers.measures))
