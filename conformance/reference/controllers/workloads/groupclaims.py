"""Claims of PodGroups: one from each template that a group names, shared by its Pods.

Source: KEP-5729, and kube-controller-manager 1.37 (resourceclaim controller), where this is
part of the controller of claims. That a reservation of a group is given and taken back, and
that its Pods say which claims they share, is done where it is done for Pods.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object, key_of, name_of, namespace_of, owner_of, uid_of
from conformance.reference.client.api import ApiClient
from conformance.reference.client.queue import WorkQueue
from conformance.reference.clock import Clock
from conformance.reference.controllers import claim_writes as writes
from conformance.reference.controllers import templates
from conformance.reference.controllers.watching import SharedInformers
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import (
    ClaimNotGenerated,
    claim_name,
    from_template,
    is_owned_by,
    known_claim_names,
    pod_claims,
)

_BY_UID, _BY_CLAIM, _BY_TEMPLATE = "uid", "claim", "template"


def claim_for_group(group: Object, entry: Object, template: Object) -> Object:
    """Return the claim to create for one entry of the group's ``spec.resourceClaims``."""
    claim = templates.claim_from_template(group, entry, template)
    owner = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup"}
    claim["metadata"]["ownerReferences"][0] |= owner
    return claim


async def note_claims(client: ApiClient, group: Object, names: Mapping[str, str]) -> None:
    """Say in the group's status which claims were generated for it."""
    await writes.note_claims(client, group, names, "podgroups")


class GroupClaims:
    """Generates the claims of groups, whether there are Pods of them or not."""

    def __init__(
        self, client: ApiClient, informers: SharedInformers, *, clock: Clock, faults: Faults
    ) -> None:
        self._client = client
        self._groups = informers["podgroups"]
        self._claims = informers["resourceclaims"]
        self._templates = informers["resourceclaimtemplates"]
        self.queue = WorkQueue(clock)
        #: Claims that were created here and are not in the informer's cache yet, by key.
        self._created: dict[str, Object] = {}
        self._known = templates.GeneratedClaims(self._claims, self._created)
        self._groups.add_index(_BY_UID, lambda group: [uid_of(group)])
        self._groups.add_index(_BY_CLAIM, _claims_of)
        self._groups.add_index(_BY_TEMPLATE, _templates_of)
        wrap = faults.wrap
        informers.listen("podgroups", self._on_group)
        informers.listen("resourceclaims", self._on_claim)
        template_event = wrap("controllers.group_template_event", self._on_template)
        informers.listen("resourceclaimtemplates", template_event)
        self._wanted = wrap("controllers.group_entries", pod_claims)
        self._make = wrap("controllers.claim_for_group", claim_for_group)
        self._create = wrap("controllers.create_group_claim", writes.create_claim)
        self._note = wrap("controllers.note_group_claims", note_claims)
        self._has_claim = wrap("controllers.group_has_claim", self._has_claim_of)

    async def run(self) -> None:
        """Work until the queue is closed."""
        await self.queue.run(self.reconcile)

    def _on_group(self, kind: str, group: Object, _: Object | None) -> None:
        if kind != "DELETED" and pod_claims(group):
            self.queue.add(key_of(group))

    def _on_claim(self, _kind: str, claim: Object, _: Object | None) -> None:
        self._created.pop(key_of(claim), None)
        owner = owner_of(claim)
        owners = self._groups.find(_BY_UID, owner["uid"]) if owner else []
        for group in (*self._groups.find(_BY_CLAIM, key_of(claim)), *owners):
            self.queue.add(key_of(group))

    def _on_template(self, kind: str, template: Object, _: Object | None) -> None:
        if kind == "DELETED":
            return
        for group in self._groups.find(_BY_TEMPLATE, key_of(template)):
            self.queue.add(key_of(group))

    async def reconcile(self, key: str) -> None:
        """Generate what one group lacks."""
        group = self._groups.get(key)
        if group is None or group["metadata"].get("deletionTimestamp"):
            return
        names: dict[str, str] = {}
        for entry in self._wanted(group):
            if from_template(entry) and not self._has_claim(group, entry):
                claim = await self._claim_for(group, entry)
                if claim is not None:
                    names[entry["name"]] = name_of(claim)
        if names:
            await self._note(self._client, group, names)

    def _has_claim_of(self, group: Object, entry: Object) -> bool:
        """Tell whether the claim that the status names is there and is the group's own."""
        try:
            name = claim_name(group, entry)
        except ClaimNotGenerated:
            return False
        key = f"{namespace_of(group)}/{name}"
        claim = self._claims.get(key) or self._created.get(key)
        return name is None or (claim is not None and is_owned_by(group, claim))

    async def _claim_for(self, group: Object, entry: Object) -> Object | None:
        """Return the claim generated earlier for this entry, or generate it now."""
        claim = templates.generated_for(group, entry, self._known)
        if claim is not None:
            return claim
        wanted = f"{namespace_of(group)}/{entry['resourceClaimTemplateName']}"
        template = self._templates.get(wanted)
        if template is None:
            # Its creation will wake the group up.
            return None
        created = await self._create(self._client, self._make(group, entry, template))
        if self._claims.get(key_of(created)) is None:
            self._created[key_of(created)] = created
        return created


def _claims_of(group: Object) -> list[str]:
    return [f"{namespace_of(group)}/{name}" for name in known_claim_names(group)]


def _templates_of(group: Object) -> list[str]:
    named = (entry.get("resourceClaimTemplateName") for entry in pod_claims(group))
    return [f"{namespace_of(group)}/{name}" for name in named if name]
