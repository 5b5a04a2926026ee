"""Which rules apply to whom, as far as the roles and bindings at hand tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.kube.objects import Object
from conformance.policy.world import Subject, World, items, part, text, texts

_BINDINGS = ("RoleBinding", "ClusterRoleBinding")


def granted(world: World, account: str, namespace: str) -> list[Object]:
    """Return each rule that applies to a service account, and through which role."""
    holding = world.once(_holding)
    return [
        rule
        for subject, binding, granted_rules in (*holding.get(account, ()), *holding.get("", ()))
        if _is(subject, binding, account, namespace)
        for rule in granted_rules
    ]


def _holding(world: World) -> dict[str, list[tuple[Object, Object, list[Object]]]]:
    """Return subject, binding and rules by the name of the service account, groups by none."""
    found: dict[str, list[tuple[Object, Object, list[Object]]]] = {}
    for binding in world.of(*_BINDINGS):
        granted_rules = [
            _rule(rule, binding, role)
            for role in _role_of(world, binding)
            for rule in rules(world, role)
        ]
        for subject in items(binding.get("subjects")):
            kind = subject.get("kind")
            if kind in {"ServiceAccount", "Group"}:
                name = text(subject.get("name")) if kind == "ServiceAccount" else ""
                found.setdefault(name, []).append((subject, binding, granted_rules))
    return found


def bound(subject: Subject) -> list[Object]:
    """Return the subjects of every binding at hand of a Role or ClusterRole."""
    return [
        {
            "kind": text(one.get("kind")),
            "name": text(one.get("name")),
            "namespace": text(one.get("namespace")) or _namespace(binding),
            "clusterWide": binding.get("kind") == "ClusterRoleBinding",
        }
        for binding in subject.world.of(*_BINDINGS)
        if any(role is subject.object for role in _role_of(subject.world, binding))
        for one in items(binding.get("subjects"))
    ]


def rules(world: World, role: Object) -> list[Object]:
    """Return the rules of a role, with those of the roles that it aggregates."""
    found = items(role.get("rules"))
    for selector in items(part(role, "aggregationRule").get("clusterRoleSelectors")):
        wanted = part(selector, "matchLabels")
        for other in world.of("ClusterRole"):
            labels = part(other, "metadata", "labels")
            if wanted and other is not role and wanted.items() <= labels.items():
                found += items(other.get("rules"))
    return found


def _role_of(world: World, binding: Object) -> Iterator[Object]:
    reference = part(binding, "roleRef")
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    role = world.get(kind, _namespace(binding) if kind == "Role" else "", name)
    if role is not None and kind in {"Role", "ClusterRole"}:
        yield role


def _rule(rule: Object, binding: Object, role: Object) -> dict[str, Any]:
    return {
        "apiGroups": texts(rule.get("apiGroups")),
        "resources": texts(rule.get("resources")),
        "verbs": texts(rule.get("verbs")),
        "resourceNames": texts(rule.get("resourceNames")),
        "clusterWide": binding.get("kind") == "ClusterRoleBinding",
        "namespace": _namespace(binding),
        "role": text(part(role, "metadata").get("name")),
    }


def _is(subject: Object, binding: Object, account: str, namespace: str) -> bool:
    """Tell whether a subject of a binding is the service account, or a group that holds it."""
    name = text(subject.get("name"))
    if subject.get("kind") == "Group":
        groups = {"system:serviceaccounts", "system:authenticated"}
        return name in groups or name == f"system:serviceaccounts:{namespace}"
    where = text(subject.get("namespace")) or _namespace(binding)
    same = not where or not namespace or where == namespace
    return subject.get("kind") == "ServiceAccount" and name == account and same


def _namespace(obj: Object) -> str:
    return text(part(obj, "metadata").get("namespace"))
