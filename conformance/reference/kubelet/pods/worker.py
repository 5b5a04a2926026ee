"""One Pod on the node, from the moment when it is seen until nothing of it is left."""

from __future__ import annotations

import asyncio
import logging
import zlib
from datetime import datetime, timedelta
from typing import Any

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient, Unreachable
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.info import ClaimNotUsable
from conformance.reference.kubelet.claims.preparing import Preparer
from conformance.reference.kubelet.claims.unpreparing import Unpreparer
from conformance.reference.kubelet.health.entries import HealthEntries
from conformance.reference.kubelet.pods import cgroups
from conformance.reference.kubelet.pods.status import (
    FAILED,
    PENDING,
    RUNNING,
    SUCCEEDED,
    Seen,
    phase_of,
    pod_status,
    restarts,
)
from conformance.reference.kubelet.registration.book import DriverUnavailableError
from conformance.reference.kubelet.registration.calls import CallError
from conformance.reference.kubelet.runtime.containers import Cgroup, Container, Runtime
from conformance.reference.kubelet.runtime.specs import CdiError
from conformance.reference.measuring.watches import DriverMeasures
from conformance.reference.podclaims import ClaimNotGenerated

_LOG = logging.getLogger(__name__)

#: Why a Pod may have to wait for its claims.
NOT_YET = (ClaimNotUsable, ClaimNotGenerated, DriverUnavailableError, CallError)

#: Seconds before a status that could not be written is written again.
_STATUS_RETRY = 1.0

#: Seconds before a container that ended is started again: first, and at most.
_FIRST_RESTART = 10.0
_LAST_RESTART = 300.0


@attrs.frozen(kw_only=True)
class Parts:
    """What a worker works with; ``entries`` is absent while ResourceHealthStatus is off."""

    client: ApiClient
    clock: Clock
    faults: Faults
    retry_period: float
    sync_period: float
    measures: DriverMeasures
    preparer: Preparer
    unpreparer: Unpreparer
    claims: ClaimCache
    runtime: Runtime
    entries: HealthEntries | None
    #: Bytes of memory that the node has.
    memory: int


class PodWorker:
    """Brings what runs on the node in line with one Pod, again and again."""

    def __init__(self, pod: Object, parts: Parts, *, gone: bool = False) -> None:
        """``gone`` Pods are no longer in the API: only cleaning up is left to do."""
        self._pod = pod
        self._gone = gone
        self._parts = parts
        self._trouble: dict[str, tuple[str, str]] = {}
        self._woken = asyncio.Event()
        timed = parts.measures.timed
        self._prepare = parts.faults.wrap(
            "kubelet.prepare", timed("PrepareResources", parts.preparer.prepare)
        )
        self._unprepare = parts.faults.wrap(
            "kubelet.unprepare", timed("UnprepareResources", parts.unpreparer.unprepare)
        )
        self._cdi_ids = parts.faults.wrap("kubelet.container_devices", self._container_devices)
        self._write = parts.faults.wrap("kubelet.write_status", self._write_status)
        self._end = parts.faults.wrap("kubelet.finish_deletion", self._finish_deletion)
        self._group = parts.faults.wrap("kubelet.cgroup", cgroup_of)
        self._again = parts.faults.wrap("kubelet.restart_at", self._restart_at)

    @property
    def pod(self) -> Object:
        """The Pod as it was last seen."""
        return self._pod

    @property
    def gone(self) -> bool:
        """Whether the Pod is no longer in the API."""
        return self._gone

    def take(self, pod: Object, *, gone: bool = False) -> None:
        """Take note of a new state of the Pod; a mere echo of its status wakes nobody."""
        news = gone != self._gone or _what_matters(pod) != _what_matters(self._pod)
        self._pod = pod
        self._gone = gone
        if news:
            self.wake()

    def wake(self) -> None:
        """Look again now."""
        self._woken.set()

    async def run(self) -> None:
        """Work until the Pod is gone and nothing of it is left."""
        while True:
            self._woken.clear()
            try:
                delay = await self._sync()
            except (StatusError, Unreachable):
                delay = _STATUS_RETRY
            except NOT_YET as error:
                _LOG.debug("pod %s: %s", name_of(self._pod), error)
                delay = self._parts.retry_period
            except Exception:  # noqa: BLE001 - one bad Pod must not end the worker for good
                _LOG.exception("pod %s", name_of(self._pod))
                delay = self._parts.retry_period
            if delay is None and self._gone:
                return
            await self._pause(delay)

    async def _pause(self, delay: float | None) -> None:
        woken = asyncio.ensure_future(self._woken.wait())
        waits: set[asyncio.Future[Any]] = {woken}
        if delay is not None:
            waits.add(asyncio.ensure_future(self._parts.clock.sleep(delay)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _sync(self) -> float | None:
        """Do what there is to do; returns the seconds until more comes up by itself."""
        if self._gone:
            self._stop_containers()
            await self._unprepare(uid_of(self._pod))
            self._parts.runtime.remove(uid_of(self._pod))
            return None
        if self._pod["metadata"].get("deletionTimestamp"):
            return await self._terminate()
        if self._pod.get("status", {}).get("phase") in {SUCCEEDED, FAILED}:
            await self._unprepare(uid_of(self._pod))
            return None
        return await self._progress()

    async def _terminate(self) -> None:
        self._stop_containers()
        await self._write(self._settled(RUNNING))
        await self._unprepare(uid_of(self._pod))
        await self._write(self._settled(""))
        await self._end(self._pod)

    def _settled(self, while_unprepared: str) -> Object:
        """Return the status; a Pod does not count as ended before its claims are released."""
        phase = self._phase()
        if not phase_is_final(phase):
            return self._status(phase)
        if while_unprepared and self._parts.claims.used_by(uid_of(self._pod)):
            return self._status(while_unprepared)
        return self._status(phase)

    def _phase(self) -> str:
        inits, containers = self._seen("initContainers"), self._seen("containers")
        return phase_of(self._pod, inits, containers, self._parts.clock.now())

    async def _progress(self) -> float | None:
        begun = self._parts.clock.now()
        try:
            await self._start()
        except NOT_YET as error:
            self._trouble = {
                container["name"]: ("ContainerCreating", str(error))
                for container in self._pod["spec"]["containers"]
            }
            await self._write(self._status(PENDING))
            # As upstream: no error of the sync, so that its back-off of 10 s does not apply.
            return next_sync(uid_of(self._pod), self._parts.sync_period)
        await self._write(self._settled(RUNNING))
        phase = self._phase()
        if phase_is_final(phase):
            self._stop_containers()
            await self._unprepare(uid_of(self._pod))
            await self._write(self._status(phase))
            return None
        return self._next_change(begun)

    async def _start(self) -> None:
        inits, containers = self._seen("initContainers"), self._seen("containers")
        missing = [seen for seen in [*inits, *containers] if seen.record is None]
        if missing:
            await self._prepare(self._pod)
        now = self._parts.clock.now()
        for seen in inits:
            again = seen.record and (seen.record.exit_code or stays_beside(seen.spec))
            if seen.record is None or (again and self._restart_due(seen.record)):
                self._start_container(seen.spec, seen.record)
            record = self._record(seen.spec)
            if record is None or not lets_go_on(seen.spec, record, now):
                return
        for seen in containers:
            if seen.record is None or self._restart_due(seen.record):
                self._start_container(seen.spec, seen.record)

    def _start_container(self, container: Object, before: Container | None = None) -> None:
        self._trouble.pop(container["name"], None)
        count = before.restarts + 1 if before else 0
        try:
            ids = self._cdi_ids(self._pod, container)
            group = self._group(self._pod, container, self._parts.memory)
            self._parts.runtime.start(self._pod, container, ids, group, count)
        except CdiError as error:
            reason = "CreateContainerError"
            self._trouble[container["name"]] = (reason, f"CDI device injection failed: {error}")

    def _container_devices(self, pod: Object, container: Object) -> list[str]:
        named = [
            (request, claim)
            for _, request, claim in self._parts.claims.of_container(pod, container)
        ]
        extended = self._parts.claims.extended_of(pod, container)
        return [cdi for request, claim in [*named, *extended] for cdi in claim.cdi_ids(request)]

    def _restart_due(self, record: Container) -> bool:
        due = self._again(record)
        return due is not None and self._parts.clock.now() >= due

    def _restart_at(self, record: Container) -> datetime | None:
        policy = self._pod["spec"].get("restartPolicy", "Always")
        now = self._parts.clock.now()
        if record.ends is None or record.is_running(now) or not restarts(policy, record):
            return None
        pause = min(_FIRST_RESTART * 2**record.restarts, _LAST_RESTART)
        return record.ends + timedelta(seconds=pause)

    def _next_change(self, begun: datetime) -> float | None:
        """Return the seconds until more comes up; what ended after ``begun`` was not seen yet."""
        if self._trouble:
            return self._parts.retry_period
        now = self._parts.clock.now()
        instants: list[datetime | None] = []
        for seen in [*self._seen("initContainers"), *self._seen("containers")]:
            record = seen.record
            if record is not None and record.ends is not None:
                instants.append(record.ends if record.ends > begun else self._again(record))
        return min(
            (max(0.0, (instant - now).total_seconds()) for instant in instants if instant),
            default=None,
        )

    def _stop_containers(self) -> None:
        spec = self._pod.get("spec", {})
        for container in [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]:
            self._parts.runtime.stop(uid_of(self._pod), container["name"])

    def _record(self, container: Object) -> Container | None:
        return self._parts.runtime.get(uid_of(self._pod), container["name"])

    def _seen(self, field: str) -> list[Seen]:
        return [
            Seen(
                spec=container,
                record=self._record(container),
                waiting=self._trouble.get(container["name"], ("ContainerCreating", ""))[0],
                message=self._trouble.get(container["name"], ("", ""))[1],
            )
            for container in self._pod["spec"].get(field) or []
        ]

    def _status(self, phase: str) -> Object:
        entries = self._parts.entries
        return pod_status(
            self._pod,
            self._seen("containers"),
            self._seen("initContainers"),
            phase=phase,
            now=self._parts.clock.now(),
            entries=lambda container: entries.of(self._pod, container) if entries else [],
        )

    async def _write_status(self, status: Object) -> None:
        old = self._pod.get("status", {})
        if all(old.get(field) == value for field, value in status.items()):
            return
        self._pod = await self._parts.client.patch(
            "pods",
            name_of(self._pod),
            {"metadata": {"uid": uid_of(self._pod)}, "status": status},
            namespace_of(self._pod),
            subresource="status",
        )

    async def _finish_deletion(self, pod: Object) -> None:
        try:
            await self._parts.client.delete(
                "pods",
                name_of(pod),
                namespace_of(pod),
                uid=uid_of(pod),
                grace_period_seconds=0,
            )
        except StatusError as error:
            if error.code not in {404, 409}:
                raise


def cgroup_of(pod: Object, container: Object, memory: int) -> Cgroup:
    """Return what a container may use of a node with so many bytes of memory."""
    return Cgroup(
        limits=cgroups.limits_of(pod, container), oom=cgroups.oom_score(pod, container, memory)
    )


def next_sync(uid: str, period: float) -> float:
    """Return the seconds until a Pod is looked at without news: up to half a period more.

    Upstream draws the jitter; here the Pod's uid decides, so that a run can be repeated.
    """
    return period * (1 + zlib.crc32(uid.encode()) / 2**33)


def stays_beside(container: Object) -> bool:
    """Tell whether an init container is a sidecar, which runs beside those that follow."""
    return container.get("restartPolicy") == "Always"


def lets_go_on(container: Object, record: Container, now: datetime) -> bool:
    """Tell whether what follows an init container may start."""
    if stays_beside(container):
        return True
    return not record.is_running(now) and not record.exit_code


def phase_is_final(phase: str) -> bool:
    """Tell whether a Pod with this phase runs no more."""
    return phase in {SUCCEEDED, FAILED}


def _what_matters(pod: Object) -> tuple[object, ...]:
    """Return what in a Pod the kubelet acts on; its own status is not part of it."""
    meta, status = pod["metadata"], pod.get("status", {})
    claims = status.get("resourceClaimStatuses"), status.get("extendedResourceClaimStatus")
    said = meta.get("labels"), meta.get("annotations")
    return pod.get("spec"), meta.get("deletionTimestamp"), claims, said
