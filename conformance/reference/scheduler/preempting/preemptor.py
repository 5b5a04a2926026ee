"""Makes room for Pods that fit nowhere, by the eviction of Pods with lower priority."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conformance.kube import conditions
from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import priority_of
from conformance.reference.scheduler.attempt import Attempt, View
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.preempting import victims


def waiting_order(pods: Iterable[Object]) -> list[Object]:
    """Return Pods that wait, the most important first; of equals, who has waited longer."""
    return sorted(pods, key=lambda pod: -priority_of(pod))


async def evict(client: ApiClient, victim: Object, pod: Object) -> None:
    """Have a Pod end for the sake of another one, and say why; it may be gone already."""
    rows = [dict(one) for one in victim.get("status", {}).get("conditions") or []]
    message = f"preempting to accommodate a higher priority pod ({name_of(pod)})"
    told = {"type": victims.CONDITION, "status": "True", "reason": victims.REASON}
    conditions.put(rows, {**told, "message": message}, client.clock.now())
    body = {"metadata": {"uid": uid_of(victim)}, "status": {"conditions": rows}}
    key = name_of(victim), namespace_of(victim)
    try:
        await client.patch("pods", key[0], body, key[1], subresource="status")
        await client.delete("pods", *key, uid=uid_of(victim))
    except StatusError as error:
        if error.code not in {404, 409}:
            raise


async def nominate(client: ApiClient, pod: Object, node: str | None) -> None:
    """Say on which node a Pod waits for others to end, or that it does so on none."""
    body = {"metadata": {"uid": uid_of(pod)}, "status": {"nominatedNodeName": node}}
    try:
        await client.patch("pods", name_of(pod), body, namespace_of(pod), subresource="status")
    except StatusError as error:
        if error.code not in {404, 409}:
            raise


class Preemptor:
    """Decides and writes, with the seams of its parts."""

    def __init__(
        self, client: ApiClient, attempt: Attempt, assumed: Assumed, *, faults: Faults
    ) -> None:
        self._client = client
        self._group_of = attempt.group_of
        self._occupancy = assumed.occupancy
        self._nominated = assumed.nominated
        #: For whose sake Pods are evicted that are not seen to be ending yet: Pod, by victim.
        self._evicted: dict[str, str] = {}
        self._trial = faults.wrap("scheduler.trial", attempt.trial)
        self._may_evict = faults.wrap("scheduler.may_evict", victims.may_evict)
        self._staying = faults.wrap("scheduler.staying", victims.staying)
        self._evict = faults.wrap("scheduler.evict", evict)
        self._nominate = faults.wrap("scheduler.nominate", nominate)
        self.in_order: Any = faults.wrap("scheduler.waiting_order", waiting_order)

    async def make_room(self, pod: Object, view: View) -> None:
        """Evict Pods so that this one, which fits nowhere, may fit; nobody if that is no use."""
        node = self._nominated.node_of(pod)
        present = self._occupancy.pods_on(node) if node else []
        if self._group_of(pod, view.find_group) or not self._may_evict(pod, present):
            return
        if self._is_waiting(pod, present):
            return
        rows = [(node, self._occupancy.pods_on(name_of(node))) for node in view.nodes]
        rows = [row for row in rows if victims.has_lower(pod, row[1])]
        found = victims.choose(pod, rows, self._trial(pod, view), self._staying) if rows else None
        if found is not None:
            await self._carry_out(pod, found)
        elif node:
            await self._withdraw(pod)

    def _is_waiting(self, pod: Object, present: Iterable[Object]) -> bool:
        """Tell whether a Pod was evicted for this one that still seems to be there.

        Then nobody else is evicted for it.
        """
        there = {uid_of(one) for one in present if not one["metadata"].get("deletionTimestamp")}
        mine = [victim for victim, cause in self._evicted.items() if cause == uid_of(pod)]
        for victim in mine:
            if victim not in there:
                del self._evicted[victim]
        return any(victim in there for victim in mine)

    async def _carry_out(self, pod: Object, chosen: victims.Eviction) -> None:
        self._nominated.put(pod, chosen.node)
        await self._nominate(self._client, pod, chosen.node)
        for other in self._nominated.below(pod, chosen.node):
            await self._withdraw(other)
        for victim in chosen.victims:
            if not victim["metadata"].get("deletionTimestamp"):
                self._evicted[uid_of(victim)] = uid_of(pod)
                await self._evict(self._client, victim, pod)

    async def _withdraw(self, pod: Object) -> None:
        self._nominated.drop(pod)
        await self._nominate(self._client, pod, None)
