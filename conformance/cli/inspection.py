"""Read the objects of a live cluster that policies are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from conformance.harness.client import Api
from conformance.kube.objects import Object, owner_of
from conformance.kube.status import StatusError
from conformance.policy.manifests.documents import EVIDENCE
from conformance.policy.model import Place, Policy, Trouble
from conformance.policy.world import CLUSTER, Manifest, items, text, texts

#: Objects per answer of a list.
_PAGE = "500"
#: What facts are made from, whatever the policies match.
_ALWAYS = (
    "Namespace", "Node", "Pod", "ServiceAccount",
    "apps/DaemonSet", "apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet",
    "batch/Job", "batch/CronJob",
    "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/RoleBinding",
    "rbac.authorization.k8s.io/ClusterRole", "rbac.authorization.k8s.io/ClusterRoleBinding",
    "resource.k8s.io/DeviceClass", "resource.k8s.io/ResourceSlice",
    "resource.k8s.io/ResourceClaim", "resource.k8s.io/ResourceClaimTemplate",
    "resource.k8s.io/ResourcePoolStatusRequest", "resource.k8s.io/DeviceTaintRule",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
    "karpenter.sh/NodePool", "monitoring.coreos.com/PrometheusRule",
)  # fmt: skip
#: Where a kind without a group is looked for.
_GROUPS = ("", "apps", "batch", "resource.k8s.io", "rbac.authorization.k8s.io")
#: Made by somebody who is judged instead.
_MADE = {"Pod", "ReplicaSet", "Job"}
_MAKERS = {"DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job", "CronJob"}


@attrs.frozen(kw_only=True)
class Inventory:
    """What a cluster holds, and what of it could not be read."""

    manifests: tuple[Manifest, ...]
    troubles: tuple[Trouble, ...]


@attrs.frozen(kw_only=True)
class _Served:
    """One resource that the cluster serves."""

    api_version: str
    kind: str
    plural: str

    @property
    def path(self) -> str:
        root = "/apis" if "/" in self.api_version else "/api"
        return f"{root}/{self.api_version}/{self.plural}"


def read(api: Api, policies: Iterable[Policy]) -> Inventory:
    """Return the objects of a cluster; raises ``StatusError`` where it refuses to say what it is.

    What may not be read is a trouble, and the other kinds are still read.
    """
    version = text(api.ask("GET", "/version").get("gitVersion"))
    versions = _versions(api)
    place = Place(file=CLUSTER)
    manifests: list[Manifest] = []
    troubles: list[Trouble] = []
    for served in _wanted(api, policies, versions):
        try:
            manifests += [_manifest(one, place) for one in _all(api, served)]
        except StatusError as error:
            sentence = f"{served.kind} objects can't be read: {error}"
            troubles.append(Trouble(place=place, sentence=sentence))
    cluster: Object = {
        "apiVersion": EVIDENCE,
        "kind": "Cluster",
        "metadata": {"name": api.server},
        "version": version,
        "apis": [one for group in versions.values() for one in group],
        "unread": [one.sentence for one in troubles],
    }
    itself = Manifest(object=cluster, place=place)
    return Inventory(manifests=(itself, *manifests), troubles=tuple(troubles))


def _versions(api: Api) -> dict[str, list[str]]:
    """Return each served group with its versions (``group/version``), the preferred one first."""
    found = {"": texts(api.ask("GET", "/api").get("versions"))}
    for group in items(api.ask("GET", "/apis").get("groups")):
        found[text(group.get("name"))] = [
            text(one.get("groupVersion")) for one in items(group.get("versions"))
        ]
    return found


def _wanted(
    api: Api, policies: Iterable[Policy], versions: dict[str, list[str]]
) -> Iterator[_Served]:
    """Yield what is to be read, each kind once, in the version that the cluster prefers."""
    kinds = {kind for policy in policies for kind in policy.match.kinds}
    wanted: dict[str, set[str]] = {}
    for kind in (*_ALWAYS, *sorted(kinds)):
        group, slash, name = kind.rpartition("/")
        for one in (group,) if slash else _GROUPS:
            wanted.setdefault(one, set()).add(name)
    for group, names in wanted.items():
        yield from _of_group(api, versions.get(group, ()), set(names))


def _of_group(api: Api, versions: Iterable[str], missing: set[str]) -> Iterator[_Served]:
    """Yield each kind that is still missing, in the first version that serves it."""
    for version in versions:
        if not missing:
            return
        found = [one for one in _serves(api, version) if one.kind in missing]
        missing -= {one.kind for one in found}
        yield from found


def _serves(api: Api, version: str) -> list[_Served]:
    root = "/apis" if "/" in version else "/api"
    try:
        answer = api.ask("GET", f"{root}/{version}")
    except StatusError:
        # An aggregated API whose server is away is listed, and cannot be asked.
        return []
    return [
        _Served(api_version=version, kind=text(one.get("kind")), plural=text(one.get("name")))
        for one in items(answer.get("resources"))
        if "/" not in text(one.get("name")) and "list" in texts(one.get("verbs"))
    ]


def _all(api: Api, served: _Served) -> Iterator[Object]:
    query: dict[str, str] = {"limit": _PAGE}
    while True:
        answer: dict[str, Any] = api.ask("GET", served.path, query=query)
        for item in items(answer.get("items")):
            yield {"apiVersion": served.api_version, "kind": served.kind, **item}
        following = text((answer.get("metadata") or {}).get("continue"))
        if not following:
            return
        query["continue"] = following


def _manifest(obj: Object, place: Place) -> Manifest:
    (obj.get("metadata") or {}).pop("managedFields", None)
    owner = owner_of(obj) or {}
    made = obj["kind"] in _MADE and owner.get("kind") in _MAKERS
    return Manifest(object=obj, place=place, judged=not made)
