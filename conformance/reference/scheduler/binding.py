"""From a placement to a bound Pod: reserve, wait for the devices, bind (PreBind and Bind).

Source: KEP-5007 (binding conditions) and the DynamicResources plugin of kube-scheduler 1.37.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from conformance.dra.features import Features
from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.kube.times import format_time
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import FINALIZER, allocation_of, is_reserved_for
from conformance.reference.scheduler import conditions, writes
from conformance.reference.scheduler.attempt import Placement
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.configuration import SchedulerOptions, honours_conditions
from conformance.reference.scheduler.resources.extended import SpecialClaim, to_create

#: How often a write is tried again when somebody else changed the claim in between.
_CONFLICTS = 5


#: Seconds that no clock can tell from none. Waiting for less would never end: added to a
#: large time, such a remainder of rounding is lost.
_INSTANT = 1e-6


class BindingAborted(Exception):
    """The Pod can't be bound now; ``useless`` are uids of claims whose devices failed it."""

    def __init__(self, message: str, *, useless: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.useless = frozenset(useless)


def seconds_to_wait(elapsed: float, timeout: float) -> float:
    """Return how long a Pod that has waited ``elapsed`` seconds goes on; 0 or less gives up."""
    return timeout - elapsed


class Binder:
    """Carries placements out; one call of ``bind`` per Pod, many at the same time."""

    def __init__(
        self,
        client: ApiClient,
        assumed: Assumed,
        *,
        features: Features,
        options: SchedulerOptions,
        faults: Faults,
    ) -> None:
        self._client = client
        self._clock: Clock = client.clock
        self._assumed = assumed
        self._timeout = options.binding_timeout
        self._waits = honours_conditions(features)
        #: Per Pod that is being bound: something changed. And Pods that were deleted meanwhile.
        self._news: dict[str, asyncio.Event] = {}
        self._gone: set[str] = set()
        #: What was created for extended resources of Pods that are not bound yet, by Pod.
        self._created: dict[str, Object] = {}
        #: Pods that wait for devices, by the key of each of their claims.
        self._waiting: dict[str, set[str]] = {}
        wrap = faults.wrap
        self._with_finalizer = wrap("scheduler.with_finalizer", writes.with_finalizer)
        self._with_allocation = wrap("scheduler.with_allocation", writes.with_allocation)
        self._held_by = wrap("scheduler.held_by", writes.held_by)
        self._write_finalizer = wrap("scheduler.write_finalizer", writes.write_finalizer)
        self._write_reservation = wrap("scheduler.write_reservation", writes.write_reservation)
        self._has_conditions = wrap("scheduler.has_conditions", conditions.has_conditions)
        self._conditions_met = wrap("scheduler.conditions_met", conditions.conditions_met)
        self._failed = wrap("scheduler.failed_condition", conditions.failed_condition)
        self._seconds_to_wait = wrap("scheduler.seconds_to_wait", seconds_to_wait)
        self._released = wrap("scheduler.released", writes.released)
        self._write_release = wrap("scheduler.write_release", writes.write_release)
        self._bind = wrap("scheduler.bind", writes.bind)
        self._create = wrap("scheduler.create_claim", writes.create_claim)
        self._note = wrap("scheduler.note_claim", writes.note_claim)
        self._note_taken = wrap("scheduler.note_taken", writes.note_taken)
        self._remove = wrap("scheduler.remove_claim", writes.remove_claim)

    def claim_changed(self, claim: Object) -> None:
        """Have the Pods that wait for the claim look at it again."""
        for pod_uid in self._waiting.get(key_of(claim), ()):
            self._news[pod_uid].set()

    def give_up(self, pod_uid: str) -> None:
        """Say that the Pod was deleted: its binding ends as soon as no write is in flight."""
        if pod_uid in self._news:
            self._gone.add(pod_uid)
            self._news[pod_uid].set()

    async def bind(self, pod: Object, placement: Placement) -> None:
        """Reserve the claims for the Pod, wait for their devices, bind.

        Raises ``BindingAborted`` after a failure, a timeout or the Pod's deletion and
        ``StatusError`` if the API refused a write; in each case the claims must be given back
        with ``release``.
        """
        self._news[uid_of(pod)] = asyncio.Event()
        try:
            await self._bind_or_abort(pod, placement)
        finally:
            del self._news[uid_of(pod)]
            self._gone.discard(uid_of(pod))

    async def _bind_or_abort(self, pod: Object, placement: Placement) -> None:
        with self._clock.busy():
            claims = [
                await self._reserve(claim, pod, *placement.terms_of(claim))
                for claim in placement.claims
            ]
            if placement.special is not None:
                claims.append(await self._make(pod, placement.special))
            self._assumed.end(placement.allocations)
            if placement.taken:
                await self._note_taken(self._client, pod, list(placement.taken))
        if self._waits and any(map(self._has_conditions, claims)):
            with self._listening(pod, claims):
                await self._wait(pod, claims, placement)
        if uid_of(pod) in self._gone:
            # Nobody else may need what was allocated for this Pod alone.
            raise BindingAborted("the Pod got deleted", useless=placement.allocations)
        with self._clock.busy():
            await self._bind(self._client, pod, placement.node)
        self._created.pop(uid_of(pod), None)

    async def _make(self, pod: Object, special: SpecialClaim) -> Object:
        """Create the claim for the Pod's extended resources, allocated and reserved for it."""
        claim = await self._create(self._client, to_create(special.claim))
        self._created[uid_of(pod)] = claim
        self._assumed.created(claim)
        claim = await self._reserve(claim, pod, special.allocation)
        await self._note(self._client, pod, claim, special.mappings)
        return claim

    async def _reserve(
        self, claim: Object, pod: Object, allocation: Object | None, holder: Object | None = None
    ) -> Object:
        """Write allocation and reservation, for the Pod or its group; look again if need be."""
        for _ in range(_CONFLICTS):
            if is_reserved_for(pod, claim):
                return claim
            if writes.is_allocated_so(claim, allocation):
                # Another Pod of the group was faster.
                allocation = None
            try:
                return await self._reserve_once(claim, allocation, pod, holder)
            except StatusError as error:
                if error.code != 409:
                    raise
            claim = await self._fresh(claim)
        raise BindingAborted(f"claim {name_of(claim)} kept changing")

    async def _reserve_once(
        self, claim: Object, allocation: Object | None, pod: Object, holder: Object | None
    ) -> Object:
        if claim["metadata"].get("deletionTimestamp"):
            raise BindingAborted(f"claim {name_of(claim)} got deleted in the meantime")
        if allocation is not None and allocation_of(claim) is not None:
            raise BindingAborted(f"claim {name_of(claim)} got allocated elsewhere in the meantime")
        if allocation is None and allocation_of(claim) is None:
            raise BindingAborted(
                f"claim {name_of(claim)} got deallocated elsewhere in the meantime"
            )
        if allocation is not None and FINALIZER not in claim["metadata"].get("finalizers", []):
            protected = self._with_finalizer(claim)
            claim = await self._write_finalizer(self._client, protected)
        now = format_time(self._clock.now()) if self._waits else None
        reserved = self._with_allocation(claim, allocation, pod, now)
        if holder is not None:
            reserved = self._held_by(reserved, pod, holder)
        written = await self._write_reservation(self._client, reserved)
        self._assumed.wrote(written)
        return written

    async def _fresh(self, claim: Object) -> Object:
        """Read the claim anew; another one of its name is none of ours."""
        live = await self._client.get("resourceclaims", name_of(claim), namespace_of(claim))
        if uid_of(live) != uid_of(claim):
            raise BindingAborted(f"claim {name_of(claim)} got replaced in the meantime")
        return live

    @contextmanager
    def _listening(self, pod: Object, claims: Sequence[Object]) -> Iterator[None]:
        """Have the Pod told when one of the claims changes."""
        keys = set(map(key_of, claims))
        for key in keys:
            self._waiting.setdefault(key, set()).add(uid_of(pod))
        try:
            yield
        finally:
            for key in keys:
                self._waiting[key].discard(uid_of(pod))
                if not self._waiting[key]:
                    del self._waiting[key]

    async def _wait(self, pod: Object, claims: Sequence[Object], placement: Placement) -> None:
        """Return once all devices are ready; meanwhile the clock may run.

        Time counts from now, and for a claim that was allocated for another Pod from then.
        """
        joined = [claim for claim in claims if uid_of(claim) not in placement.allocations]
        began = self._clock.monotonic()
        while uid_of(pod) not in self._gone and not self._ready(self._current(claims)):
            ages = [conditions.age(claim, self._clock.now()) for claim in joined]
            elapsed = max(self._clock.monotonic() - began, *ages, 0.0)
            left = self._seconds_to_wait(elapsed, self._timeout)
            if left < _INSTANT:
                raise self._timed_out(claims)
            await self._pause(self._news[uid_of(pod)], left)

    def _current(self, claims: Sequence[Object]) -> list[Object]:
        """Return the newest state of the claims, which must still be those that were reserved."""
        current: list[Object] = []
        for claim in claims:
            newest = self._assumed.newest(key_of(claim))
            if newest is None or uid_of(newest) != uid_of(claim):
                raise BindingAborted(f"claim {name_of(claim)} got deleted in the meantime")
            if allocation_of(newest) is None:
                raise BindingAborted(
                    f"claim {name_of(claim)} got deallocated elsewhere in the meantime"
                )
            current.append(newest)
        return current

    def _ready(self, claims: Sequence[Object]) -> bool:
        for claim in claims:
            failure = self._failed(claim)
            if failure:
                raise BindingAborted(
                    f"device binding failed: claim {name_of(claim)}: {failure} is True",
                    useless=[uid_of(claim)],
                )
        return all(map(self._conditions_met, claims))

    def _timed_out(self, claims: Sequence[Object]) -> BindingAborted:
        late = [claim for claim in self._current(claims) if not self._conditions_met(claim)]
        names = ", ".join(map(name_of, late))
        return BindingAborted(
            f"device binding timeout: claim {names}", useless=[uid_of(claim) for claim in late]
        )

    async def _pause(self, news: asyncio.Event, seconds: float) -> None:
        """Sleep until a claim changes, at most so many seconds."""
        timer = asyncio.ensure_future(self._clock.sleep(seconds))
        change = asyncio.ensure_future(news.wait())
        try:
            await asyncio.wait({timer, change}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            change.cancel()
        news.clear()

    async def release(self, pod: Object, claims: Iterable[Object], useless: Iterable[str]) -> None:
        """Give claims back: the reservation of the Pod, and useless allocations."""
        failed = frozenset(useless)
        for claim in claims:
            await self._give_back(pod, claim, uid_of(claim) in failed)
        made = self._created.pop(uid_of(pod), None)
        if made is not None:
            await self._remove(self._client, made)

    async def forget_taken(self, pod: Object) -> None:
        """Say that the Pod's devices take nothing of a node, after its binding failed."""
        await self._note_taken(self._client, pod, [])

    async def remove(self, claim: Object) -> None:
        """Remove the claim that an earlier attempt made for a Pod's extended resources."""
        await self._remove(self._client, claim)

    async def _give_back(self, pod: Object, claim: Object, useless: bool) -> None:
        for _ in range(_CONFLICTS):
            try:
                newest = await self._fresh(claim)
                changed = self._released(newest, pod, useless)
                if changed != newest:
                    self._assumed.wrote(await self._write_release(self._client, changed))
            except BindingAborted:
                return
            except StatusError as error:
                if error.code == 404:
                    return
                if error.code != 409:
                    raise
            else:
                return
