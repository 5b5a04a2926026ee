"""The status of ResourceQuotas: what a namespace holds, by the names of its limits."""

from __future__ import annotations

from conformance.dra.quota import CLAIMS, DEVICES, TEMPLATES, Holding
from conformance.kube.objects import Object, key_of, namespace_of
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.faults.seams import Faults

#: What is watched beside Pods and claims.
COUNTED = ("resourcequotas", "deviceclasses")


class QuotaController:
    """Writes how much of every limit is used."""

    def __init__(
        self, client: ApiClient, informers: SharedInformers, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._informers = informers
        self._status = faults.wrap("controllers.quota_status", quota_status)
        self.queue = WorkQueue(clock)
        informers.listen("resourcequotas", self._on_quota)
        informers.listen("resourceclaims", self._on_object)
        informers.listen("resourceclaimtemplates", self._on_object)
        informers.listen("pods", self._on_object)
        informers.listen("deviceclasses", self._on_class)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _on_quota(self, kind: str, one: Object, _: Object | None) -> None:
        if kind != "DELETED":
            self.queue.add(key_of(one))

    def _on_object(self, kind: str, obj: Object, _: Object | None) -> None:
        del kind
        for one in self._informers["resourcequotas"].values():
            if namespace_of(one) == namespace_of(obj):
                self.queue.add(key_of(one))

    def _on_class(self, kind: str, device_class: Object, _: Object | None) -> None:
        del kind, device_class
        for one in self._informers["resourcequotas"].values():
            self.queue.add(key_of(one))

    async def reconcile(self, key: str) -> None:
        """Write the status of one quota if it is not so already."""
        one = self._informers["resourcequotas"].get(key)
        if one is None:
            return
        namespace = namespace_of(one)
        holding = Holding(
            claims=self._in(namespace, "resourceclaims"),
            pods=self._in(namespace, "pods"),
            classes=self._informers["deviceclasses"].values(),
            templates=self._in(namespace, "resourceclaimtemplates"),
        )
        status = self._status(one, holding)
        if status != (one.get("status") or {}):
            await self._client.update_status("resourcequotas", {**one, "status": status})

    def _in(self, namespace: str, plural: str) -> list[Object]:
        return [one for one in self._informers[plural].values() if namespace_of(one) == namespace]


def quota_status(one: Object, holding: Holding) -> Object:
    """Return the status of a quota: its limits, and what is used of those that are counted."""
    hard: Object = one["spec"].get("hard") or {}
    used = holding.used()
    counted = {limit: str(used[limit]) for limit in hard if _is_counted(limit)}
    return {"hard": hard, "used": counted}


def _is_counted(limit: str) -> bool:
    return limit in (CLAIMS, TEMPLATES) or limit.endswith(DEVICES) or limit.startswith("requests.")
