"""The roles and bindings that every cluster has from the beginning, as far as they concern DRA.

Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/, section "Default roles and
role bindings"; which rules of resource.k8s.io they hold was read off a cluster of 1.37.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authorization.rbac import GROUP
from conformance.reference.apiserver.authorization.status_parts import GATE

#: Roles whose rules are those of the roles that carry its label.
_AGGREGATES = ("admin", "edit", "view")

_READ = ("get", "list", "watch")
_WRITE = ("create", "delete", "deletecollection", "patch", "update")
_CHANGE = ("update", "patch")
_ALL = (*_READ, *_WRITE)
_EVENTS = (("create", "patch", "update"), ("", "events.k8s.io"), ("events",))

_DRA = ("resource.k8s.io",)
_CORE = ("",)
_APPS = ("apps",)
_ALL_GROUPS = ("*",)
_SCHEDULING = ("scheduling.k8s.io",)

#: Verbs, API groups, resources; a fourth part is the gate without which the rule is missing.
_Row = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
_Gated = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]

_VIEWED = ("configmaps", "pods", "pods/log", "pods/status", "serviceaccounts", "services")
_BINDING: _Gated = (_CHANGE, _DRA, ("resourceclaims/binding",), GATE)

_ROLES: dict[str, tuple[_Row | _Gated, ...]] = {
    "cluster-admin": ((("*",), ("*",), ("*",)),),
    "system:basic-user": (
        (
            ("create",),
            ("authorization.k8s.io",),
            ("selfsubjectaccessreviews", "selfsubjectrulesreviews"),
        ),
        (("create",), ("authentication.k8s.io",), ("selfsubjectreviews",)),
    ),
    "system:aggregate-to-view": (
        (_READ, _CORE, (*_VIEWED, "events", "namespaces", "resourcequotas")),
        (_READ, _CORE, ("resourcequotas/status",)),
        (_READ, _APPS, ("daemonsets", "daemonsets/status", "deployments", "deployments/status")),
        (_READ, _DRA, ("resourceclaims", "resourceclaims/status", "resourceclaimtemplates")),
        (_READ, _SCHEDULING, ("podgroups", "podgroups/status"), "GenericWorkload"),
    ),
    "system:aggregate-to-edit": (
        (_READ, _CORE, ("secrets",)),
        (("impersonate",), _CORE, ("serviceaccounts",)),
        (_WRITE, _CORE, ("pods", "serviceaccounts", "services", "configmaps", "secrets")),
        (("create",), _CORE, ("pods/eviction", "serviceaccounts/token")),
        (_WRITE, ("", "events.k8s.io"), ("events",)),
        (_WRITE, _APPS, ("daemonsets", "deployments")),
        (_ALL, ("coordination.k8s.io",), ("leases",)),
        (_WRITE, _DRA, ("resourceclaims", "resourceclaimtemplates")),
        (_WRITE, _SCHEDULING, ("podgroups",), "GenericWorkload"),
    ),
    "system:aggregate-to-admin": (
        (("create",), ("authorization.k8s.io",), ("localsubjectaccessreviews",)),
        (_ALL, (GROUP,), ("roles", "rolebindings")),
    ),
    "system:kube-scheduler": (
        _EVENTS,
        (_READ, _CORE, ("nodes", "namespaces", "services")),
        (_READ, _APPS, ("replicasets",)),
        ((*_READ, "delete"), _CORE, ("pods",)),
        (("create",), _CORE, ("pods/binding", "bindings")),
        (_CHANGE, _CORE, ("pods/status",)),
        (("update",), _CORE, ("pods/finalizers",)),
        (("create",), ("authentication.k8s.io",), ("tokenreviews",)),
        (("create",), ("authorization.k8s.io",), ("subjectaccessreviews",)),
        (_READ, _DRA, ("deviceclasses", "resourceslices")),
        ((*_READ, *_CHANGE), _DRA, ("resourceclaims", "resourceclaims/status")),
        (("create", "delete"), _DRA, ("resourceclaims",), "DRAExtendedResource"),
        (_READ, _DRA, ("devicetaintrules",), "DRADeviceTaintRules"),
        (_READ, _SCHEDULING, ("podgroups",), "GenericWorkload"),
        (_CHANGE, _SCHEDULING, ("podgroups/status",), "GenericWorkload"),
        _BINDING,
    ),
    "system:kube-controller-manager": (
        _EVENTS,
        (("create",), _CORE, ("secrets", "serviceaccounts", "serviceaccounts/token")),
        (("get",), _CORE, ("configmaps", "namespaces", "secrets", "serviceaccounts")),
        (("update",), _CORE, ("secrets", "serviceaccounts")),
        (("delete",), _CORE, ("secrets",)),
        (("create",), ("authentication.k8s.io",), ("tokenreviews",)),
        (("create",), ("authorization.k8s.io",), ("subjectaccessreviews",)),
        (("list", "watch"), _ALL_GROUPS, ("*",)),
    ),
    "system:controller:generic-garbage-collector": (
        _EVENTS,
        ((*_READ, *_CHANGE, "delete"), _ALL_GROUPS, ("*",)),
    ),
    "system:controller:pod-garbage-collector": (
        (("list", "watch", "delete"), _CORE, ("pods",)),
        (_READ, _CORE, ("nodes",)),
        (("patch",), _CORE, ("pods/status",)),
    ),
    "system:controller:replicaset-controller": (
        _EVENTS,
        ((*_READ, "update"), _APPS, ("replicasets",)),
        (("update",), _APPS, ("replicasets/status", "replicasets/finalizers")),
        (("list", "watch", "patch", "create", "delete"), _CORE, ("pods",)),
    ),
    "system:controller:resourcequota-controller": (
        _EVENTS,
        (("list", "watch"), _ALL_GROUPS, ("*",)),
        (("update",), _CORE, ("resourcequotas/status",)),
    ),
    "system:controller:resource-claim-controller": (
        _EVENTS,
        (_READ, _CORE, ("pods",)),
        (("update",), _CORE, ("pods/finalizers",)),
        ((*_READ, "create", "delete"), _DRA, ("resourceclaims",)),
        (_CHANGE, _DRA, ("resourceclaims", "resourceclaims/status")),
        (_CHANGE, _CORE, ("pods/status",)),
        (_READ, _SCHEDULING, ("podgroups",), "DRAWorkloadResourceClaims"),
        (_CHANGE, _SCHEDULING, ("podgroups/status",), "DRAWorkloadResourceClaims"),
        _BINDING,
    ),
    "system:controller:podgroup-protection-controller": (
        ((*_READ, "update"), _SCHEDULING, ("podgroups",), "GenericWorkload"),
        (_READ, _CORE, ("pods",), "GenericWorkload"),
    ),
    "system:controller:device-taint-eviction-controller": (
        _EVENTS,
        ((*_READ, "delete"), _CORE, ("pods",)),
        (_CHANGE, _CORE, ("pods/status",)),
        (_READ, _DRA, ("resourceclaims", "resourceslices", "deviceclasses")),
        (_CHANGE, _DRA, ("devicetaintrules/status",), "DRADeviceTaintRules"),
        (_READ, _DRA, ("devicetaintrules",), "DRADeviceTaintRules"),
    ),
    "system:controller:resourcepoolstatusrequest-controller": (
        _EVENTS,
        ((*_READ, "delete"), _DRA, ("resourcepoolstatusrequests",), "DRAResourcePoolStatus"),
        (_CHANGE, _DRA, ("resourcepoolstatusrequests/status",), "DRAResourcePoolStatus"),
        (_READ, _DRA, ("resourceslices", "resourceclaims", "devicetaintrules")),
    ),
}

_READY = ["/healthz", "/livez", "/readyz", "/version", "/version/"]
_DISCOVERED = [*_READY, "/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"]

#: Roles that are there with a gate alone.
_GATED_ROLES = {
    "system:controller:device-taint-eviction-controller": "DRADeviceTaints",
    "system:controller:resourcepoolstatusrequest-controller": "DRAResourcePoolStatus",
}

#: The same for URLs that are no resources.
_URLS: dict[str, list[str]] = {
    "cluster-admin": ["*"],
    "system:discovery": _DISCOVERED,
    "system:public-info-viewer": _READY,
}

#: Role, and the kind and names of those that have it.
_BOUND: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("cluster-admin", "Group", (users.MASTERS,)),
    ("system:basic-user", "Group", (users.AUTHENTICATED,)),
    ("system:discovery", "Group", (users.AUTHENTICATED,)),
    ("system:public-info-viewer", "Group", (users.AUTHENTICATED, users.UNAUTHENTICATED)),
    ("system:kube-scheduler", "User", ("system:kube-scheduler",)),
    ("system:kube-controller-manager", "User", ("system:kube-controller-manager",)),
)

_CONTROLLER = "system:controller:"


def objects(features: Features) -> Iterator[Object]:
    """Yield the cluster roles and their bindings under these gates."""
    off = {name for name, gate in _GATED_ROLES.items() if not features.enabled(gate)}
    for name in dict.fromkeys([*_ROLES, *_URLS]):
        if name not in off:
            yield _role(name, features)
    for name in _AGGREGATES:
        label = f"{GROUP}/aggregate-to-{name}"
        chosen = [{"matchLabels": {label: "true"}}]
        yield {**_head("ClusterRole", name), "aggregationRule": {"clusterRoleSelectors": chosen}}
    for role, kind, names in _BOUND:
        subjects = [{"apiGroup": GROUP, "kind": kind, "name": name} for name in names]
        yield _binding(role, subjects)
    for role in _ROLES:
        if role.startswith(_CONTROLLER) and role not in off:
            name = role.removeprefix(_CONTROLLER)
            account = {"kind": "ServiceAccount", "name": name, "namespace": "kube-system"}
            yield _binding(role, [account])


def _role(name: str, features: Features) -> Object:
    rules = [
        {"verbs": list(row[0]), "apiGroups": list(row[1]), "resources": list(row[2])}
        for row in _ROLES.get(name, ())
        if len(row) < 4 or features.enabled(row[3])
    ]
    if name in _URLS:
        verb = "*" if name == "cluster-admin" else "get"
        rules.append({"verbs": [verb], "nonResourceURLs": _URLS[name]})
    role: Object = {**_head("ClusterRole", name), "rules": rules}
    aggregate = name.removeprefix("system:aggregate-to-")
    if aggregate != name:
        role["metadata"]["labels"] |= {
            f"{GROUP}/aggregate-to-{more}": "true"
            for more in _AGGREGATES[: _AGGREGATES.index(aggregate) + 1]
        }
    return role


def _binding(role: str, subjects: list[Object]) -> Object:
    reference = {"apiGroup": GROUP, "kind": "ClusterRole", "name": role}
    return {**_head("ClusterRoleBinding", role), "subjects": subjects, "roleRef": reference}


def _head(kind: str, name: str) -> Object:
    labels = {"kubernetes.io/bootstrapping": "rbac-defaults"}
    meta: Object = {"name": name, "labels": labels}
    return {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": meta}
