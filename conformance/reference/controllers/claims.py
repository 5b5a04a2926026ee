"""The resource claim controller: generates, reserves, releases and removes ResourceClaims.

Source: KEP-4381 and kube-controller-manager 1.37 (resourceclaim controller). Keys of its work
queue are ``pod:<namespace>/<name>`` and ``claim:<namespace>/<name>``.
"""

from __future__ import annotations

from conformance.kube.objects import Object, key_of, name_of, namespace_of, owner_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers import claim_writes as writes
from conformance.reference.controllers import reservations, templates
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.controllers.workloads.protection import BY_GROUP, group_keys
from conformance.reference.faults.seams import Faults
from conformance.reference.measuring.claims import CREATES, counted, creation_labels
from conformance.reference.measuring.watches import QueueMeasures
from conformance.reference.podclaims import (
    ClaimNotGenerated,
    allocation_of,
    claim_name,
    extended_claim,
    from_template,
    group_name,
    holder_of,
    is_done,
    is_for_pod,
    is_group_consumer,
    is_of_group,
    known_claim_names,
    known_claims,
    pod_claims,
    used_claim_names,
)

#: The name of the work queue, as kube-controller-manager calls it.
_QUEUE = "resource_claim"

#: Indices of the Pods: by their own uid, and by the keys of claims and templates they name.
_BY_UID, _BY_CLAIM, _BY_TEMPLATE = "uid", "claim", "template"


class ClaimController:
    """Keeps claims and the Pods that use them in step."""

    def __init__(
        self, client: ApiClient, informers: SharedInformers, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._pods = informers["pods"]
        self._claims = informers["resourceclaims"]
        self._templates = informers["resourceclaimtemplates"]
        #: PodGroups; nothing where there is no such API.
        self._groups = informers.find("podgroups")
        self._measures = informers.measures
        self.queue = WorkQueue(clock, QueueMeasures(self._measures, _QUEUE))
        self._measures.gauge("workqueue_depth", lambda: [({"name": _QUEUE}, len(self.queue))])
        self._measures.gauge(
            "dynamic_resource_allocation_resource_claims", lambda: counted(self._claims.values())
        )
        #: Claims that were created here and are not in the informer's cache yet, by key.
        self._created: dict[str, Object] = {}
        self._known = templates.GeneratedClaims(self._claims, self._created)
        self._pods.add_index(_BY_UID, lambda pod: [uid_of(pod)])
        self._pods.add_index(_BY_CLAIM, _claims_of)
        self._pods.add_index(_BY_TEMPLATE, _templates_of)
        self._pods.add_index(BY_GROUP, group_keys)
        informers.listen("pods", self._on_pod)
        informers.listen("resourceclaims", self._on_claim)
        wrap = faults.wrap
        if self._groups is not None:
            informers.listen("podgroups", self._on_group)
        template_event = wrap("controllers.template_event", self._on_template)
        informers.listen("resourceclaimtemplates", template_event)
        self._done = wrap("controllers.is_done", is_done)
        self._has_own_claim = wrap("controllers.has_claim", self._has_claim)
        self._stale = wrap("controllers.is_stale", self._is_stale)
        self._lingers = wrap("controllers.lingers", reservations.lingers)
        self._from_template = wrap("controllers.claim_from_template", templates.claim_from_template)
        self._generated_for = wrap("controllers.generated_for", templates.generated_for)
        self._can_reserve = wrap("controllers.can_reserve", reservations.can_reserve)
        self._with_consumer = wrap("controllers.with_consumer", reservations.with_consumer)
        self._with_holder = wrap("controllers.with_group", reservations.with_holder)
        self._awaits_group = wrap("controllers.awaits_group", _awaits_group)
        self._is_of_group = wrap("controllers.is_of_group", is_of_group)
        self._holds = wrap("controllers.holds", reservations.holds)
        self._without = wrap("controllers.without_consumers", reservations.without_consumers)
        self._create = wrap("controllers.create_claim", writes.create_claim)
        self._note = wrap("controllers.note_claims", writes.note_claims)
        self._reserve = wrap("controllers.reserve", writes.write_status)
        self._release = wrap("controllers.release", writes.write_status)
        self._unprotect = wrap("controllers.remove_finalizer", writes.remove_finalizer)
        self._delete = wrap("controllers.delete_generated", writes.delete_claim)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    async def reconcile(self, key: str) -> None:
        """Bring one Pod or one claim in order."""
        kind, _, name = key.partition(":")
        await (self._sync_pod(name) if kind == "pod" else self._sync_claim(name))

    # What happened, and whom it concerns.

    def _on_pod(self, kind: str, pod: Object, _: Object | None) -> None:
        if not pod_claims(pod) and not extended_claim(pod):
            return
        if kind == "DELETED" or self._done(pod):
            for name in used_claim_names(pod):
                self.queue.add(f"claim:{namespace_of(pod)}/{name}")
        if kind != "DELETED":
            self.queue.add(f"pod:{key_of(pod)}")

    def _on_claim(self, kind: str, claim: Object, _: Object | None) -> None:
        self._created.pop(key_of(claim), None)
        if kind != "DELETED":
            self.queue.add(f"claim:{key_of(claim)}")
        owner = owner_of(claim)
        generated = self._pods.find(_BY_UID, owner["uid"]) if owner else []
        for pod in (*self._pods.find(_BY_CLAIM, key_of(claim)), *generated):
            self.queue.add(f"pod:{key_of(pod)}")
        if owner and owner["kind"] == "PodGroup":
            self._wake_group(f"{namespace_of(claim)}/{owner['name']}")

    def _on_group(self, kind: str, group: Object, _: Object | None) -> None:
        if kind == "DELETED":
            for name in known_claim_names(group):
                self.queue.add(f"claim:{namespace_of(group)}/{name}")
        self._wake_group(key_of(group))

    def _wake_group(self, key: str) -> None:
        for pod in self._pods.find(BY_GROUP, key):
            if pod_claims(pod):
                self.queue.add(f"pod:{key_of(pod)}")

    def _on_template(self, kind: str, template: Object, _: Object | None) -> None:
        if kind == "DELETED":
            return
        for pod in self._pods.find(_BY_TEMPLATE, key_of(template)):
            self.queue.add(f"pod:{key_of(pod)}")

    # A Pod: generate its claims, and reserve for it what a scheduler did not.

    async def _sync_pod(self, key: str) -> None:
        pod = self._pods.get(key)
        if pod is None or self._done(pod) or pod["metadata"].get("deletionTimestamp"):
            return
        group = self._group_of(pod)
        if self._awaits_group(pod, group):
            # What the Pod shares, only its group tells; the group will wake the Pod up.
            return
        names: dict[str, str] = {}
        for pod_claim in pod_claims(pod):
            if from_template(pod_claim) and not await self._has_own_claim(pod, pod_claim):
                claim = await self._claim_of(pod, group, pod_claim)
                if claim is not None:
                    names[pod_claim["name"]] = name_of(claim)
        if names:
            await self._note(self._client, pod, names)
        if pod["spec"].get("nodeName"):
            await self._rescue(pod, group)

    def _group_of(self, pod: Object) -> Object | None:
        if self._groups is None:
            return None
        return self._groups.get(f"{namespace_of(pod)}/{group_name(pod)}")

    async def _claim_of(
        self, pod: Object, group: Object | None, pod_claim: Object
    ) -> Object | None:
        """Return the claim of an entry: the one that the group has for it, or one of its own."""
        if group is not None and self._is_of_group(pod_claim, group):
            return templates.noted_claim(group, pod_claim, self._claims)
        return await self._claim_for(pod, pod_claim)

    async def _has_claim(self, pod: Object, pod_claim: Object) -> bool:
        """Tell whether the claim that the Pod's status names is there and is the Pod's own."""
        try:
            name = claim_name(pod, pod_claim)
        except ClaimNotGenerated:
            return False
        if name is None:
            return True
        claim = await self._find_claim(namespace_of(pod), name)
        return claim is not None and is_for_pod(pod, claim)

    async def _find_claim(self, namespace: str, name: str) -> Object | None:
        key = f"{namespace}/{name}"
        claim = self._claims.get(key) or self._created.get(key)
        return claim or await _ask(self._client, "resourceclaims", name, namespace)

    async def _claim_for(self, pod: Object, pod_claim: Object) -> Object | None:
        """Return the claim generated earlier for this entry, or generate it now."""
        claim = self._generated_for(pod, pod_claim, self._known)
        if claim is not None:
            return claim
        wanted = f"{namespace_of(pod)}/{pod_claim['resourceClaimTemplateName']}"
        template = self._templates.get(wanted)
        if template is None:
            # Its creation will wake the Pod up.
            return None
        made = self._from_template(pod, pod_claim, template)
        labels = creation_labels(made)
        try:
            created = await self._create(self._client, made)
        except StatusError:
            self._measures.count(CREATES, status="failure", **labels)
            raise
        self._measures.count(CREATES, status="success", **labels)
        if self._claims.get(key_of(created)) is None:
            self._created[key_of(created)] = created
        return created

    async def _rescue(self, pod: Object, group: Object | None) -> None:
        """Reserve allocated claims for a Pod that came past the scheduler.

        It never allocates: see ``reservations.can_reserve``.
        """
        for pod_claim, name in known_claims(pod):
            claim = self._claims.get(f"{namespace_of(pod)}/{name}")
            if claim is None or (from_template(pod_claim) and not is_for_pod(pod, claim)):
                continue
            if not self._can_reserve(pod, claim):
                continue
            if self._is_of_group(pod_claim, group):
                reserved = self._with_holder(holder_of(pod, group, pod_claim), claim)
            else:
                reserved = self._with_consumer(pod, claim)
            await self._reserve(self._client, reserved)

    # A claim: drop reservations of Pods that are done, deallocate, remove.

    async def _sync_claim(self, key: str) -> None:
        claim = self._claims.get(key)
        if claim is None:
            return
        entries = claim.get("status", {}).get("reservedFor") or []
        stale = [entry["uid"] for entry in entries if await self._stale(claim, entry)]
        remaining = len(entries) - len(stale)
        if stale:
            claim = await self._release(self._client, self._without(claim, stale))
            if allocation_of(claim) is None and reservations.is_protected(claim):
                claim = await self._unprotect(self._client, claim)
        elif self._lingers(claim) and not remaining:
            claim = await self._let_go(claim)
        if not remaining and claim is not None:
            await self._delete_unused(claim)

    async def _is_stale(self, claim: Object, consumer: Object) -> bool:
        """Tell whether a reservation is void; asks the API before it says so.

        The informer of Pods may lag behind a scheduler that reserves right now.
        """
        namespace = namespace_of(claim)
        if self._groups is not None and is_group_consumer(consumer):
            group = self._groups.get(f"{namespace}/{consumer['name']}")
            group = group or await _ask(self._client, "podgroups", consumer["name"], namespace)
            return group is None or not self._holds(consumer, group)
        if not reservations.is_pod_consumer(consumer):
            return False
        pod = self._pods.get(f"{namespace}/{consumer['name']}")
        if pod is not None and self._holds(consumer, pod):
            return self._done(pod)
        pod = await _ask(self._client, "pods", consumer["name"], namespace)
        return pod is None or not self._holds(consumer, pod) or self._done(pod)

    async def _let_go(self, claim: Object) -> Object | None:
        if allocation_of(claim) is not None:
            claim = await self._release(self._client, reservations.without_allocation(claim))
        return await self._unprotect(self._client, claim)

    async def _delete_unused(self, claim: Object) -> None:
        """Delete a generated claim whose Pod will not run (any more)."""
        owner = owner_of(claim)
        if owner is None or owner.get("kind") != "Pod":
            return
        if claim["metadata"].get("deletionTimestamp"):
            return
        pod = self._pods.get(f"{namespace_of(claim)}/{owner['name']}")
        # A Pod that is not known (yet) is the garbage collector's business.
        if pod is not None and (uid_of(pod) != owner["uid"] or self._done(pod)):
            await self._delete(self._client, claim)


async def _ask(client: ApiClient, plural: str, name: str, namespace: str) -> Object | None:
    """Return an object as the API has it; nothing where it is gone."""
    try:
        return await client.get(plural, name, namespace)
    except StatusError as error:
        if error.code == 404:
            return None
        raise


def _awaits_group(pod: Object, group: Object | None) -> bool:
    return group is None and bool(group_name(pod))


def _claims_of(pod: Object) -> list[str]:
    return [f"{namespace_of(pod)}/{name}" for name in known_claim_names(pod)]


def _templates_of(pod: Object) -> list[str]:
    named = (entry.get("resourceClaimTemplateName") for entry in pod_claims(pod))
    return [f"{namespace_of(pod)}/{name}" for name in named if name]
