"""How claims that the Pods of a group share can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.dra.allocation import InUse
from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur
from conformance.reference.podclaims import group_name, reservations, without_group

_ANNOTATION = "resource.kubernetes.io/pod-claim-name"

#: The longest base of a generated name.
_BASE = 57


def _prepared(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that changes new groups after they were prepared."""

    def saboteur(real: Any, plural: str, obj: Object, features: Any, now: Any) -> None:
        real(plural, obj, features, now)
        if plural == "podgroups":
            change(obj)

    return saboteur


def _keeping(plural: str) -> Saboteur:
    """Return a saboteur that drops nothing of new objects of a kind."""

    def saboteur(real: Any, kind: str, obj: Object, features: Any, now: Any) -> None:
        sent = dict(obj.get("spec") or {})
        real(kind, obj, features, now)
        if kind == plural:
            obj["spec"] = {**sent, **obj["spec"]}

    return saboteur


def _keeps_one_kind(group: Object) -> None:
    entries: list[Object] = group["spec"].get("resourceClaims") or []
    made = [one for one in entries if one.get("resourceClaimTemplateName")]
    if made:
        group["spec"]["resourceClaims"] = made


def _unprotected(group: Object) -> None:
    group["metadata"].pop("finalizers", None)


def _always_served(real: Any, resource: Any, features: Any) -> bool:
    return resource.plural == "podgroups" or real(resource, features)


def _never(*_: Any) -> bool:
    return False


def _overlooks(*_: Any) -> None:
    """Wake nobody."""


def _anybody(*_: Any) -> bool:
    return True


def _first_alone(real: Any, group: Object) -> list[Object]:
    return real(group)[:1]


def _made(change: Callable[[Object, str], None]) -> Saboteur:
    """Return a saboteur that changes a claim before it is created; it gets the whole name."""

    def saboteur(real: Any, group: Object, entry: Object, template: Object) -> Object:
        claim = real(group, entry, template)
        change(claim, f"{group['metadata']['name']}-{entry['name']}-")
        return claim

    return saboteur


def _blocks(claim: Object, _: str) -> None:
    claim["metadata"]["ownerReferences"][0]["blockOwnerDeletion"] = True


def _drops_metadata(claim: Object, _: str) -> None:
    metadata = claim["metadata"]
    metadata.pop("labels", None)
    metadata["annotations"] = {_ANNOTATION: metadata["annotations"][_ANNOTATION]}


def _names_anyhow(claim: Object, whole: str) -> None:
    if len(whole) <= _BASE:
        claim["metadata"]["generateName"] = "claim-"


def _cuts_at_the_end(claim: Object, whole: str) -> None:
    claim["metadata"]["generateName"] = whole[:_BASE]


async def _says_no_entry(real: Any, client: Any, group: Object, names: Mapping[str, str]) -> None:
    await real(client, group, names)
    bare = {"metadata": {"annotations": {_ANNOTATION: None}}}
    for name in names.values():
        await client.patch("resourceclaims", name, bare, group["metadata"]["namespace"])


async def _notes_the_first(real: Any, client: Any, group: Object, names: Mapping[str, str]) -> None:
    first = group["spec"]["resourceClaims"][0]["name"]
    if first in names:
        await real(client, group, {first: names[first]})


def _by_name(real: Any, pod_claim: Object, group: Object | None) -> bool:
    """Take an entry for the group's that has its name, whatever the template."""
    names = [one["name"] for one in (group or {}).get("spec", {}).get("resourceClaims") or []]
    return pod_claim["name"] in names or real(pod_claim, group)


async def _releases_groups(real: Any, claim: Object, consumer: Object) -> bool:
    """Take a group's reservation for void; of claims that are not protected somebody makes more."""
    protected = bool(claim["metadata"].get("finalizers"))
    return (protected and consumer.get("resource") == "podgroups") or await real(claim, consumer)


async def _keeps_groups(real: Any, claim: Object, consumer: Object) -> bool:
    return consumer.get("resource") != "podgroups" and await real(claim, consumer)


def _reserves_for_nobody(_real: Any, _holder: Object, claim: Object) -> Object:
    return claim


def _believes(real: Any, group: Object, entry: Object) -> bool:
    return bool((group.get("status") or {}).get("resourceClaimStatuses")) or real(group, entry)


def _keeps_claims_of_groups(real: Any, obj: Object, found: Any) -> bool:
    return real(obj, found) and not _is_owned_by_group(obj)


def _of_no_api(real: Any, claim: Object, pod: Object, holder: Object) -> Object:
    return real(claim, pod, {key: one for key, one in holder.items() if key != "apiGroup"})


class _FirstPods:
    """Take the Pod of each group that came first."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}

    def __call__(self, real: Any, pod: Object, scheduler: str) -> bool:
        """Say whether the Pod is the scheduler's business, and the first of its group."""
        meta, group = pod["metadata"], pod["spec"].get("schedulingGroup") or {}
        key = (meta["namespace"], group.get("podGroupName", ""))
        first = not key[1] or self._first.setdefault(key, meta["uid"]) == meta["uid"]
        return first and real(pod, scheduler)


def _all_for_groups(
    real: Any, pod: Object, group: Object | None, claims: list[Object]
) -> Mapping[str, Object]:
    found: Mapping[str, Object] = real(pod, group, claims)
    holder = next(iter(found.values()), None)
    return found if holder is None else {one["metadata"]["uid"]: holder for one in claims}


def _waits_for_none(real: Any, pod: Object, find: Callable[[str, str], Object | None]) -> Any:
    name = (pod["spec"].get("schedulingGroup") or {}).get("podGroupName", "")
    return real(pod, find) if name and find(pod["metadata"]["namespace"], name) else None


def _groupless(real: Any, pod: Object, claim: Object) -> None:
    real(without_group(pod), claim)


def _is_group(holder: Object) -> bool:
    return holder.get("resource") == "podgroups"


def _is_owned_by_group(obj: Object) -> bool:
    owners = obj["metadata"].get("ownerReferences") or []
    return any(one["kind"] == "PodGroup" for one in owners)


def _any_group(real: Any, pod: Object, claim: Object) -> None:
    holders = reservations(claim)
    groups = [one for one in holders if one.get("apiGroup") == "scheduling.k8s.io"]
    if not any(map(_is_group, groups)):
        real(pod, claim)


def _name_alone(real: Any, pod: Object, claim: Object) -> None:
    if group_name(pod) not in [one["name"] for one in reservations(claim)]:
        real(pod, claim)


def _any_owning_group(real: Any, pod: Object, claim: Object) -> None:
    if not _is_owned_by_group(claim):
        real(pod, claim)


class _ForEachPod:
    """Take a claim of a group for unprepared whenever it is looked at for a Pod."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def __call__(self, real: Any, claim: Object, **options: Any) -> Any:
        """Return what is known of the claim, and forget that it was prepared."""
        info = real(claim, **options)
        if any(map(_is_group, reservations(claim))):
            self._known.setdefault(info.ref.uid, info).prepared = False
        return info


class _PreparesOnce:
    """Remember what a driver said of a claim, and don't ask it again."""

    def __init__(self) -> None:
        self._answers: dict[str, Any] = {}

    async def __call__(self, real: Any, plugin: Any, refs: Any) -> Any:
        """Return the answers, those of old where there are any."""
        fresh = [ref for ref in refs if ref.uid not in self._answers]
        if fresh:
            self._answers |= await real(plugin, fresh)
        return {ref.uid: self._answers[ref.uid] for ref in refs}


def _forgets_who(real: Any, path: Any) -> Any:
    claims = real(path)
    for claim in claims:
        claim.pods.clear()
    return claims


async def _protects_for_ever(real: Any, client: Any, claim: Object) -> Object | None:
    if _is_owned_by_group(claim):
        return claim
    return await real(client, claim)


class _KeepsDevices:
    """Take what a group had once for in use."""

    def __init__(self) -> None:
        self._kept = InUse()

    def __call__(self, real: Any, claims: Any, in_flight: Any) -> InUse:
        """Return what is in use, and what ever was of claims of groups."""
        rows = [
            result
            for claim in claims
            if any(map(_is_group, reservations(claim)))
            for result in claim["status"]["allocation"]["devices"].get("results") or []
        ]
        self._kept = self._kept.plus(InUse.of(rows))
        return real(claims, in_flight).plus(self._kept)


def _by_its_name(real: Any, consumer: Object, found: Object) -> bool:
    return _is_group(consumer) or real(consumer, found)


def _all_with_a_group(real: Any, claim: Object, stale: Any) -> Object:
    holders = reservations(claim)
    gone = {one["uid"] for one in holders if _is_group(one)} & set(stale)
    return real(claim, [one["uid"] for one in holders] if gone else stale)


def _awaits_no_group(real: Any, pod: Object, group: Object | None) -> bool:
    return not pod["spec"].get("nodeName") and real(pod, group)


def _leaves_groups(real: Any, pod: Object) -> bool:
    return not pod["spec"].get("schedulingGroup") and real(pod)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-keeps-claims-from-templates-alone": _prepared(_keeps_one_kind),
    "apiserver-serves-groups-without-the-gate": _always_served,
    "apiserver-keeps-claims-of-groups-without-the-gate": _keeping("podgroups"),
    "apiserver-keeps-groups-of-pods-without-the-gate": _keeping("pods"),
    "apiserver-does-not-protect-groups": _prepared(_unprotected),
    "controller-lets-groups-with-pods-go": _never,
    "controller-keeps-groups-of-ended-pods": _anybody,
    "controller-knows-one-claim-per-group": _first_alone,
    "controller-blocks-the-deletion-of-groups": _made(_blocks),
    "controller-does-not-say-for-which-entry-of-a-group": _says_no_entry,
    "controller-drops-the-metadata-of-a-groups-template": _made(_drops_metadata),
    "controller-names-claims-of-groups-anyhow": _made(_names_anyhow),
    "controller-cuts-names-of-groups-at-the-end": _made(_cuts_at_the_end),
    "controller-notes-one-claim-per-group": _notes_the_first,
    "controller-shares-by-name": _by_name,
    "controller-shares-nothing": _never,
    "controller-makes-claims-before-there-is-a-group": _never,
    "controller-overlooks-templates-of-groups": _overlooks,
    "controller-believes-the-status-of-groups": _believes,
    "controller-keeps-claims-of-groups": _keeps_claims_of_groups,
    "controller-releases-groups": _releases_groups,
    "controller-keeps-reservations-of-groups": _keeps_groups,
    "scheduler-says-not-what-kind-holds-claims": _of_no_api,
    "scheduler-takes-one-pod-of-each-group": _FirstPods(),
    "scheduler-reserves-everything-for-groups": _all_for_groups,
    "scheduler-waits-for-no-group": _waits_for_none,
    "kubelet-knows-no-groups": _groupless,
    "controller-reserves-for-no-group": _reserves_for_nobody,
    "kubelet-takes-any-group": _any_group,
    "kubelet-knows-groups-by-name-alone": _name_alone,
    "kubelet-wants-claims-to-be-of-pods": _groupless,
    "kubelet-heeds-groups-without-the-gate": _anybody,
    "kubelet-prepares-claims-of-groups-for-each-pod": _ForEachPod(),
    "kubelet-undoes-claims-with-the-first-pod-of-a-group": _anybody,
    "kubelet-keeps-claims-for-groups": _never,
    "kubelet-believes-that-groups-stay-prepared": _PreparesOnce(),
    "kubelet-forgets-who-shares-a-claim": _forgets_who,
    "controller-protects-claims-of-groups-for-ever": _protects_for_ever,
    "scheduler-keeps-devices-for-groups": _KeepsDevices(),
    "controller-knows-groups-by-name": _by_its_name,
    "controller-releases-everybody-with-a-group": _all_with_a_group,
    "controller-reserves-before-there-is-a-group": _awaits_no_group,
    "controller-evicts-no-pods-of-groups": _leaves_groups,
    "kubelet-takes-claims-of-any-group": _any_owning_group,
}
