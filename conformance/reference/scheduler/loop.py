"""The scheduler: takes Pods one at a time, finds them a node and devices, has them bound.

A Pod that does not fit is parked until something happens that may help it; a Pod whose
scheduling failed is tried again after a delay. Each binding runs in a task of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Iterable, Sequence

from conformance.dra.allocation import AllocationError
from conformance.dra.features import Features
from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.kube.times import format_time, parse
from conformance.reference.client.api import ApiClient, Unreachable
from conformance.reference.client.informer import Informer
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.measuring.endpoint import Endpoint, at_once
from conformance.reference.measuring.measures import Measures, text
from conformance.reference.podclaims import is_done
from conformance.reference.scheduler import waking
from conformance.reference.scheduler.attempt import Attempt, Placement
from conformance.reference.scheduler.binding import Binder, BindingAborted
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.cache.parked import Parked
from conformance.reference.scheduler.claims import NotReady, Unfit
from conformance.reference.scheduler.configuration import SchedulerOptions
from conformance.reference.scheduler.grouping import FAILED, Grouping, Verdict
from conformance.reference.scheduler.outlook import BY_GROUP, Outlook, group_keys
from conformance.reference.scheduler.preempting.preemptor import Preemptor
from conformance.reference.scheduler.resources.allocatable import with_statuses
from conformance.reference.scheduler.writes import give_up_claim, say_of_group, say_why

#: What the scheduler watches.
WATCHED = ("pods", "nodes", "resourceclaims", "resourceslices", "deviceclasses")


#: The metrics of Pods that were scheduled.
_ALGORITHM = "scheduler_scheduling_algorithm_duration_seconds"
_END_TO_END = "scheduler_pod_scheduling_sli_duration_seconds"


def _watched(features: Features) -> list[str]:
    # Without both gates a rule taints nothing, and nobody looks at it.
    rules = ["devicetaintrules"] if features.heeds_rules else []
    groups = ["podgroups"] if features.groups_pods else []
    return [*WATCHED, *rules, *groups]


class Scheduler:
    """One profile of kube-scheduler with the DynamicResources plugin."""

    def __init__(
        self,
        client: ApiClient,
        *,
        clock: Clock,
        features: Features,
        options: SchedulerOptions | None = None,
        faults: Faults = NONE,
    ) -> None:
        options = options or SchedulerOptions()
        self._client = client
        self._clock = clock
        self._name = options.scheduler_name
        self._queue = WorkQueue(clock)
        self._measures = Measures()
        self._told = faults.wrap("scheduler.metrics", Measures.samples)
        self._endpoint = Endpoint(at_once(self._tell))
        #: Where its metrics are served; nothing before ``start``.
        self.metrics_url = ""
        self._assumed = Assumed()
        self._informers = {
            plural: Informer(client, plural, on_event=functools.partial(self._on_event, plural))
            for plural in _watched(features)
        }
        self._attempt = Attempt(features=features, options=options, faults=faults)
        self._informers["pods"].add_index(BY_GROUP, group_keys)
        self._outlook = Outlook(
            self._informers, self._assumed, clock=clock, features=features, faults=faults
        )
        self._grouping = Grouping(
            self._attempt,
            self._assumed,
            features=features,
            is_mine=lambda pod: self._is_mine(pod, self._name),
            faults=faults,
        )
        self._binder = Binder(
            client, self._assumed, features=features, options=options, faults=faults
        )
        self._preemptor = Preemptor(client, self._attempt, self._assumed, faults=faults)
        #: Pods that wait for something to happen, Pods on their way, failed attempts: by key.
        self._parked = Parked()
        self._bindings: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, int] = {}
        self._worker: asyncio.Task[None] | None = None
        self._is_mine = faults.wrap("scheduler.is_mine", waking.is_mine)
        self._wakes = faults.wrap("scheduler.wakes", waking.wakes)
        self._retry_delay = faults.wrap("scheduler.retry_delay", waking.retry_delay)

    async def start(self) -> None:
        """Return once every cache is filled and the scheduler works."""
        self.metrics_url = f"http://127.0.0.1:{await self._endpoint.start()}/metrics"
        await asyncio.gather(*(informer.synced() for informer in self._informers.values()))
        self._worker = asyncio.ensure_future(self._queue.run(self._schedule))

    async def stop(self) -> None:
        """Stop working; what was written stays as it is in the API."""
        self._queue.close()
        tasks = list(self._bindings.values())
        if self._worker is not None:
            tasks.append(self._worker)
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for informer in self._informers.values():
            await informer.stop()
        await self._endpoint.stop()

    def _tell(self, parts: Sequence[str]) -> tuple[int, str]:
        if list(parts) != ["metrics"]:
            return 404, "404 page not found\n"
        return 200, text(self._told(self._measures))

    # What happened, and which Pods it concerns.

    def _on_event(self, plural: str, kind: str, obj: Object, old: Object | None) -> None:
        if plural == "pods":
            self._on_pod(kind, obj, old)
        elif plural == "resourceclaims":
            self._assumed.saw_claim(kind, obj)
            self._binder.claim_changed(obj)
        elif plural == "podgroups" and kind == "DELETED":
            self._grouping.forget(obj)
        elif plural in {"resourceslices", "devicetaintrules"}:
            self._outlook.slices_changed()
        concerned = map(self._informers["pods"].get, self._concerned(plural, kind, obj, old))
        for pod in self._preemptor.in_order(filter(None, concerned)):
            if self._wakes(pod, plural, kind, obj, old):
                self._wake(key_of(pod))

    def _concerned(self, plural: str, kind: str, obj: Object, old: Object | None) -> Iterable[str]:
        """Return the waiting Pods that an event may help; most events help nobody."""
        if waking.makes_room(plural, kind, obj, old):
            return self._parked
        if plural == "pods" and waking.gets_a_node(obj, old):
            # It counts for those of its group that wait.
            groups = [self._informers["pods"].find(BY_GROUP, key) for key in group_keys(obj)]
            return [key_of(pod) for members in groups for pod in members]
        return self._parked.users(obj) if plural == "resourceclaims" else ()

    def _on_pod(self, kind: str, pod: Object, old: Object | None) -> None:
        key = key_of(pod)
        self._assumed.saw_pod(kind, pod)
        deleted = kind == "DELETED" or bool(pod["metadata"].get("deletionTimestamp"))
        if deleted or pod.get("spec", {}).get("nodeName"):
            self._parked.discard(key)
            self._failures.pop(key, None)
        if deleted and key in self._bindings:
            # Nobody is left to bind; what it took must become free for others.
            self._binder.give_up(uid_of(pod))
        elif not deleted and (old is None or waking.changed_for_scheduling(pod, old)):
            self._wake(key)

    def _wake(self, key: str) -> None:
        self._parked.discard(key)
        self._queue.add(key)

    # One attempt.

    async def _schedule(self, key: str) -> None:
        pod = self._informers["pods"].get(key)
        if pod is None or key in self._bindings or is_done(pod):
            return
        if not self._is_mine(pod, self._name) or self._assumed.has_node(pod):
            return
        try:
            group = self._attempt.group_of(pod, self._outlook.find_group)
            if group is not None:
                await self._schedule_group(group)
                return
            begun = self._clock.monotonic()
            placement = self._attempt.place(pod, self._outlook.view())
            self._measures.observe(_ALGORITHM, self._clock.monotonic() - begun)
        except NotReady:
            self._parked.add(key, pod)
        except Unfit as unfit:
            await self._park(key, pod, unfit)
        except AllocationError as error:
            await self._fail(pod, str(error))
        else:
            self._begin(key, pod, placement)

    async def _schedule_group(self, group: Object) -> None:
        members = self._informers["pods"].find(BY_GROUP, key_of(group))
        begun = self._clock.monotonic()
        verdict = self._grouping.decide(
            group, filter(self._counts_now, members), self._outlook.view
        )
        for pod, placement in verdict.placed:
            self._measures.observe(_ALGORITHM, self._clock.monotonic() - begun)
            self._parked.discard(key_of(pod))
            self._begin(key_of(pod), pod, placement)
        for pod, _ in verdict.refused:
            self._parked.add(key_of(pod), pod)
        for pod, unfit in verdict.refused:
            if verdict.reason == FAILED:
                await self._fail(pod, str(unfit))
            elif not isinstance(unfit, NotReady):
                await self._park(key_of(pod), pod, unfit)
        if verdict.given_up is not None:
            await give_up_claim(self._client, verdict.given_up)
        await self._say_of_group(group, verdict)

    def _counts_now(self, pod: Object) -> bool:
        """Tell whether the Pod is not just being taken back from a node."""
        taken_back = key_of(pod) in self._bindings and not self._assumed.has_node(pod)
        return bool(pod.get("spec", {}).get("nodeName")) or not taken_back

    async def _say_of_group(self, group: Object, verdict: Verdict) -> None:
        newest = self._outlook.find_group(namespace_of(group), name_of(group)) or group
        said = self._grouping.say(newest, verdict, format_time(self._clock.now()))
        if said is not None:
            await say_of_group(self._client, newest, said)

    async def _park(self, key: str, pod: Object, unfit: Unfit) -> None:
        # Parked first: an event during the writes below must find the Pod.
        self._parked.add(key, pod)
        if unfit.release is not None:
            claim = unfit.release
            await self._binder.release(pod, [claim], [uid_of(claim)])
        if unfit.remove is not None:
            await self._binder.remove(unfit.remove)
        await self._say(pod, "Unschedulable", str(unfit))
        if not unfit.helps:
            await self._preemptor.make_room(pod, self._outlook.view())

    async def _fail(self, pod: Object, message: str) -> None:
        key = key_of(pod)
        attempts = self._failures.get(key, 0)
        self._failures[key] = attempts + 1
        self._queue.add_after(key, self._retry_delay(attempts))
        await self._say(pod, "SchedulerError", message)

    async def _say(self, pod: Object, reason: str, message: str) -> None:
        newest = self._informers["pods"].get(key_of(pod)) or pod
        now = format_time(self._clock.now())
        await say_why(self._client, newest, reason=reason, message=message, now=now)

    # One binding.

    def _begin(self, key: str, pod: Object, placement: Placement) -> None:
        self._assumed.begin(placement.allocations)
        whole = with_statuses(pod, placement.taken) if placement.taken else pod
        self._assumed.bound(whole, placement.node)
        self._bindings[key] = asyncio.ensure_future(self._carry_out(key, pod, placement))

    async def _carry_out(self, key: str, pod: Object, placement: Placement) -> None:
        failure: Exception | None = None
        try:
            await self._binder.bind(pod, placement)
        except (BindingAborted, StatusError, Unreachable) as error:
            failure = error
        with self._clock.busy():
            if failure is None:
                attempts = str(self._failures.pop(key, 0) + 1)
                since = parse(pod["metadata"]["creationTimestamp"])
                seconds = (self._clock.now() - since).total_seconds()
                self._measures.observe(_END_TO_END, seconds, attempts=attempts)
            else:
                self._assumed.unbound(pod)
                await self._undo(pod, placement, failure)
            self._assumed.end(placement.allocations)
            del self._bindings[key]
            self._after_binding(key, pod, failed=failure is not None)

    async def _undo(self, pod: Object, placement: Placement, failure: Exception) -> None:
        """Give the claims back and try the Pod again later."""
        useless = failure.useless if isinstance(failure, BindingAborted) else ()
        with contextlib.suppress(StatusError, Unreachable):
            await self._binder.release(pod, placement.claims, useless)
        if placement.taken:
            with contextlib.suppress(StatusError, Unreachable):
                await self._binder.forget_taken(pod)
        current = self._informers["pods"].get(key_of(pod))
        if current is not None and uid_of(current) == uid_of(pod):
            with contextlib.suppress(StatusError, Unreachable):
                await self._fail(pod, str(failure))

    def _after_binding(self, key: str, pod: Object, *, failed: bool) -> None:
        """Let others try: for what was in flight, or for a Pod's successor of its name."""
        current = self._informers["pods"].get(key)
        if current is not None and uid_of(current) != uid_of(pod):
            self._queue.add(key)
        if failed:
            for waiting in self._parked:
                self._wake(waiting)
