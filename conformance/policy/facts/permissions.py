"""What roles allow on ``resource.k8s.io``, and who holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.kube.objects import Object
from conformance.policy.facts import rbac, workloads
from conformance.policy.world import Subject, World, items, part, text, texts

GROUP = "resource.k8s.io"

#: What a wildcard stands for, subresources and the synthetic ones included.
RESOURCES = (
    "deviceclasses",
    "devicetaintrules",
    "resourceclaims",
    "resourceclaims/binding",
    "resourceclaims/driver",
    "resourceclaims/status",
    "resourceclaimtemplates",
    "resourcepoolstatusrequests",
    "resourcepoolstatusrequests/status",
    "resourceslices",
)
_VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
_SYNTHETIC = tuple(
    f"{scope}:{verb}" for scope in ("associated-node", "arbitrary-node")
    for verb in ("update", "patch")
)  # fmt: skip
#: Groups whose members are administrators or parts of Kubernetes.
_TRUSTED_GROUPS = ("system:masters", "kubeadm:cluster-admins", "system:nodes")
_ROLES = ("Role", "ClusterRole")
_BINDINGS = ("RoleBinding", "ClusterRoleBinding")
#: How the users begin that service accounts are.
_ACCOUNT = "system:serviceaccount:"
_NAMED = re.compile(rf"""["']({_ACCOUNT}[^"']*)["']""")
_POLICY = "ValidatingAdmissionPolicy"


def allows(subject: Subject) -> dict[str, list[str]]:
    """Return resource of the group to verbs: of a role, a binding's role or a workload's account.

    Every resource is there. A rule over all groups and all resources is left out: it makes an
    administrator, and says nothing about this API.
    """
    return _verbs(_rules(subject))


def together(subject: Subject) -> dict[str, list[str]]:
    """Return like ``allows``, with what other roles allow to any holder of this role."""
    rules = list(_rules(subject))
    mine = {_key(one) for each in _bindings_of(subject) for one in items(each.get("subjects"))}
    for binding in subject.world.of(*_BINDINGS):
        if any(_key(one) in mine for one in items(binding.get("subjects"))):
            role = _role_of(subject.world, binding)
            rules += items((role or {}).get("rules"))
    return _verbs(rules)


def wildcards(subject: Subject) -> list[str]:
    """Return the rules that reach this API by a wildcard, spelled shortly."""
    found: list[str] = []
    for rule in _rules(subject):
        groups, resources, verbs = (texts(rule.get(k)) for k in ("apiGroups", "resources", "verbs"))
        reaches = "*" in groups or GROUP in groups
        if reaches and "*" in (*groups, *resources, *verbs):
            found.append(f"{','.join(groups)} {','.join(resources)}: {','.join(verbs)}")
    return found


def holders(subject: Subject) -> list[str]:
    """Return who holds a role or is named by a binding, without service accounts.

    Groups of administrators and of nodes, and users of components (``system:``), are left out.
    """
    bindings = [subject.object] if subject.kind in _BINDINGS else _bindings_of(subject)
    return sorted({
        f"{text(one.get('kind'))} {text(one.get('name'))}"
        for binding in bindings
        for one in items(binding.get("subjects"))
        if _is_person(one)
    })  # fmt: skip


def guarded(subject: Subject) -> bool:
    """Tell whether a bound ValidatingAdmissionPolicy limits a workload's ResourceSlices.

    It is about writing slices, and no condition of it names service accounts other than that of
    the workload.
    """
    bound = {
        text(part(one, "spec").get("policyName"))
        for one in subject.world.of("ValidatingAdmissionPolicyBinding")
    }
    account = text(workloads.pod(subject).get("serviceAccountName")) or "default"
    user = f"{_ACCOUNT}{subject.namespace}:{account}"
    return any(
        text(part(one, "metadata").get("name")) in bound
        and _is_about_slices(one)
        and _is_about_user(one, user)
        for one in subject.world.of(_POLICY)
    )


def _verbs(rules: Iterable[Object]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {one: set() for one in RESOURCES}
    for rule in rules:
        groups, resources, verbs = (texts(rule.get(k)) for k in ("apiGroups", "resources", "verbs"))
        if ("*" in groups and "*" in resources) or not {"*", GROUP}.intersection(groups):
            continue
        for resource in RESOURCES if "*" in resources else resources:
            if resource in found:
                found[resource].update(_expanded(verbs))
    return {one: sorted(verbs) for one, verbs in found.items()}


def _expanded(verbs: list[str]) -> Iterator[str]:
    yield from (*_VERBS, *_SYNTHETIC) if "*" in verbs else verbs


def _rules(subject: Subject) -> list[Object]:
    if subject.kind in _ROLES:
        return rbac.rules(subject.world, subject.object)
    if subject.kind in _BINDINGS:
        return items((_role_of(subject.world, subject.object) or {}).get("rules"))
    return workloads.grants(subject)


def _role_of(world: World, binding: Object) -> Object | None:
    reference = part(binding, "roleRef")
    kind = text(reference.get("kind"))
    namespace = text(part(binding, "metadata").get("namespace")) if kind == "Role" else ""
    return world.get(kind, namespace, text(reference.get("name"))) if kind in _ROLES else None


def _bindings_of(subject: Subject) -> list[Object]:
    return [
        one
        for one in subject.world.of(*_BINDINGS)
        if part(one, "roleRef").get("name") == subject.name
        and part(one, "roleRef").get("kind") == subject.kind
    ]


def _key(one: Object) -> tuple[Any, ...]:
    return (one.get("kind"), one.get("namespace"), one.get("name"))


def _is_person(one: Object) -> bool:
    kind, name = text(one.get("kind")), text(one.get("name"))
    if kind == "Group":
        return name not in _TRUSTED_GROUPS
    return kind == "User" and not name.startswith("system:")


def _is_about_slices(policy: Object) -> bool:
    rules = items(part(policy, "spec", "matchConstraints").get("resourceRules"))
    return any({"resourceslices", "*"}.intersection(texts(rule.get("resources"))) for rule in rules)


def _is_about_user(policy: Object, user: str) -> bool:
    """Tell whether each condition that names service accounts names this one, or its namespace."""
    conditions = items(part(policy, "spec").get("matchConditions"))
    named = [_NAMED.findall(text(one.get("expression"))) for one in conditions]
    return all(
        any(one == user or (one.endswith(":") and user.startswith(one)) for one in names)
        for names in named
        if names
    )
