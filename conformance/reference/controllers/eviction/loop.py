"""The controller: watches, decides again for the Pods concerned, evicts, reports on rules.

Keys of its work queue are ``pod:<namespace>/<name>`` and ``rule:<name>``. Nothing is planned
that would have to be cancelled: at its time each decision is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from conformance.dra.allocation import rule_selects
from conformance.dra.features import Features
from conformance.kube.objects import Object, key_of, name_of, namespace_of, uid_of
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers.eviction import progress, writes
from conformance.reference.controllers.eviction.causes import (
    EVICTING,
    Causes,
    Eviction,
    Sight,
    as_if_evicting,
    newest,
)
from conformance.reference.controllers.eviction.progress import PERIOD, Tally
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.controllers.workloads.protection import BY_GROUP
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import is_group_consumer, reservations, results_of

#: The index of claims and of slices by pool.
_BY_POOL = "pool"

#: The metrics of Pods that were evicted.
_DELETIONS = "device_taint_eviction_controller_pod_deletions_total"
_LATENCY = "device_taint_eviction_controller_pod_deletion_duration_seconds"


class DeviceTaintEviction:
    """Evicts Pods from devices with NoExecute taints, of slices and of rules."""

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
        self._pods = informers["pods"]
        self._claims = informers["resourceclaims"]
        self._slices = informers["resourceslices"]
        heeds_rules = features.heeds_rules
        self._rules = informers["devicetaintrules"] if heeds_rules else None
        self._measures = informers.measures
        self._measures.start_at_zero(_DELETIONS)
        self.queue = WorkQueue(clock)
        self._claims.add_index(_BY_POOL, _pools_of_claim)
        self._slices.add_index(_BY_POOL, lambda one: [_pool_of_slice(one)])
        informers.listen("pods", self._on_pod)
        informers.listen("resourceclaims", self._on_claim)
        informers.listen("resourceslices", self._on_slice)
        if self._rules is not None:
            informers.listen("devicetaintrules", self._on_rule)
        #: Pods evicted so far by each rule; Pods that were evicted and are not gone yet. By uid.
        self._evicted_by: dict[str, int] = {}
        self._evicted: set[str] = set()
        self._causes = Causes(faults)
        self._consumers = faults.wrap("controllers.consumers", consumers)
        self._condition = faults.wrap("controllers.eviction_condition", progress.eviction_condition)
        self._mark = faults.wrap("controllers.mark_disrupted", writes.mark_disrupted)
        self._evict = faults.wrap("controllers.evict_pod", writes.evict_pod)
        self._write = faults.wrap("controllers.write_rule_status", writes.write_rule_status)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    async def reconcile(self, key: str) -> None:
        """Evict one Pod if its time has come, or say how far the eviction of a rule is."""
        kind, _, name = key.partition(":")
        await (self._sync_pod(name) if kind == "pod" else self._sync_rule(name))

    # What happened, and whom it concerns.

    def _on_pod(self, kind: str, pod: Object, old: Object | None) -> None:
        if kind == "DELETED":
            self._evicted.discard(uid_of(pod))
        elif old is None or _use_of_devices(pod) != _use_of_devices(old):
            self.queue.add(f"pod:{key_of(pod)}")

    def _on_claim(self, _: str, claim: Object, old: Object | None) -> None:
        if results_of(claim) or results_of(old or {}):
            self._look_at([claim, *([old] if old else [])])

    def _on_slice(self, _: str, one: Object, old: Object | None) -> None:
        if _is_tainted(one) or _is_tainted(old):
            self._look_at(self._claims.find(_BY_POOL, _pool_of_slice(one)))

    def _on_rule(self, kind: str, rule: Object, old: Object | None) -> None:
        if old is not None and old["spec"] == rule["spec"] and kind != "DELETED":
            return
        if kind == "DELETED":
            self._evicted_by.pop(uid_of(rule), None)
        else:
            # What is going to happen is told before it happens.
            self.queue.add(f"rule:{name_of(rule)}")
        self._look_at(self._claims.values())

    def _look_at(self, claims: Iterable[Object]) -> None:
        for claim in claims:
            for name in self._consumers(claim):
                self.queue.add(f"pod:{namespace_of(claim)}/{name}")
            for key in _groups_of(claim):
                for pod in self._pods.find(BY_GROUP, key):
                    self.queue.add(f"pod:{key_of(pod)}")

    # A Pod.

    async def _sync_pod(self, key: str) -> None:
        pod = self._pods.get(key)
        eviction = None if pod is None else self._eviction(pod)
        if pod is None or eviction is None:
            return
        for rule in self._rules_of(eviction):
            self.queue.add_after(f"rule:{name_of(rule)}", PERIOD)
        left = (eviction.when - self._clock.now()).total_seconds()
        if left > 0:
            self.queue.add_after(f"pod:{key}", left)
            return
        current = await writes.current_pod(self._client, pod)
        if current is None:
            return
        await self._mark(self._client, current, self._clock.now())
        await self._evict(self._client, current)
        self._evicted.add(uid_of(pod))
        self._measures.count(_DELETIONS)
        late = (self._clock.now() - eviction.when).total_seconds()
        self._measures.observe(_LATENCY, late)
        for uid in eviction.rules:
            self._evicted_by[uid] = self._evicted_by.get(uid, 0) + 1

    def _eviction(self, pod: Object, rules: Iterable[Object] | None = None) -> Eviction | None:
        if uid_of(pod) in self._evicted:
            return None
        every = self._all_rules() if rules is None else rules
        sight = Sight(slices=self._pool, rules=tuple(every), claim=self._claims.get)
        return self._causes.of_pod(pod, sight)

    def _pool(self, driver: str, pool: str) -> list[Object]:
        return self._slices.find(_BY_POOL, f"{driver}/{pool}")

    def _all_rules(self) -> Iterable[Object]:
        return () if self._rules is None else self._rules.values()

    def _rules_of(self, eviction: Eviction) -> list[Object]:
        return [rule for rule in self._all_rules() if uid_of(rule) in eviction.rules]

    # A rule.

    async def _sync_rule(self, name: str) -> None:
        rule = None if self._rules is None else self._rules.get(name)
        if rule is None:
            return
        now = self._clock.now()
        left = progress.seconds_to_wait(rule, now)
        if left > 0:
            self.queue.add_after(f"rule:{name}", left)
            return
        changed = progress.with_condition(rule, self._condition(rule, self._tally(rule)), now)
        if changed is not None:
            await self._write(self._client, changed)

    def _tally(self, rule: Object) -> Tally:
        """Count what the rule does, or would do if its effect were NoExecute."""
        uid = uid_of(rule)
        if rule["spec"]["taint"]["effect"] not in {"None", EVICTING}:
            return Tally(evicted=self._evicted_by.get(uid, 0))
        pending = [
            namespace_of(pod)
            for pod in self._pods.values()
            if (eviction := self._eviction(pod, [as_if_evicting(rule)])) and uid in eviction.rules
        ]
        return Tally(
            pods=len(pending),
            namespaces=len(set(pending)),
            published=sum(1 for one in self._published() if rule_selects(rule, one)),
            allocated=sum(
                1
                for claim in self._claims.values()
                for result in results_of(claim)
                if rule_selects(rule, result)
            ),
            evicted=self._evicted_by.get(uid, 0),
        )

    def _published(self) -> Iterable[Object]:
        """Yield every device that is published, with its driver and pool."""
        for pool in {_pool_of_slice(one) for one in self._slices.values()}:
            for one in newest(self._slices.find(_BY_POOL, pool)):
                where = {"driver": one["spec"]["driver"], "pool": one["spec"]["pool"]["name"]}
                for device in one["spec"].get("devices") or []:
                    yield {**where, "device": device["name"]}


def consumers(claim: Object) -> list[str]:
    """Return the names of the Pods that the claim is reserved for."""
    return [one["name"] for one in reservations(claim) if one.get("resource") == "pods"]


def _groups_of(claim: Object) -> list[str]:
    """Return the keys of the PodGroups that the claim is reserved for."""
    groups = filter(is_group_consumer, reservations(claim))
    return [f"{namespace_of(claim)}/{one['name']}" for one in groups]


def _pool_of_slice(one: Object) -> str:
    return f"{one['spec']['driver']}/{one['spec']['pool']['name']}"


def _pools_of_claim(claim: Object) -> set[str]:
    return {f"{result['driver']}/{result['pool']}" for result in results_of(claim)}


def _is_tainted(one: Object | None) -> bool:
    devices = (one or {}).get("spec", {}).get("devices") or []
    return any(device.get("taints") for device in devices)


def _use_of_devices(pod: Object) -> tuple[object, ...]:
    """Return what says which devices the Pod uses, and where."""
    status = pod.get("status", {})
    claims = status.get("resourceClaimStatuses"), status.get("extendedResourceClaimStatus")
    return pod.get("spec", {}).get("nodeName"), *claims
