"""Roles, bindings and workloads: what they allow on resource.k8s.io."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts import permissions
from conformance.tests.policy.facts.building import subject

GROUP = "rbac.authorization.k8s.io"


def role(name: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": list(rules),
    }


def rule(resource: str, *verbs: str, group: str = permissions.GROUP) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": [resource], "verbs": list(verbs)}


def binding(name: str, *subjects: tuple[str, str]) -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": kind, "name": who} for kind, who in subjects],
    }


def test_role_allows_what_its_rules_say() -> None:
    found = permissions.allows(subject(role("a", rule("resourceslices", "get", "create"))))

    assert found["resourceslices"] == ["create", "get"]
    assert found["deviceclasses"] == []


def test_rules_of_other_groups_do_not_count() -> None:
    found = permissions.allows(subject(role("a", rule("resourceslices", "get", group="apps"))))

    assert found["resourceslices"] == []


def test_wildcards_reach_synthetic_subresources_and_verbs() -> None:
    found = permissions.allows(subject(role("a", rule("*", "*"))))

    assert "associated-node:update" in found["resourceclaims/driver"]
    assert "create" in found["resourcepoolstatusrequests"]


def test_administrators_rule_is_left_out() -> None:
    found = permissions.allows(subject(role("cluster-admin", rule("*", "*", group="*"))))

    assert not any(found.values())


def test_binding_allows_what_its_role_does() -> None:
    readers = role("a", rule("resourceslices", "get"))

    assert permissions.allows(subject(binding("a"), readers))["resourceslices"] == ["get"]


def test_roles_of_one_holder_add_up() -> None:
    first, second = (
        role("a", rule("resourceslices", "get")),
        role("b", rule("deviceclasses", "get")),
    )
    who = ("User", "jane")

    found = permissions.together(subject(first, second, binding("a", who), binding("b", who)))

    assert found["resourceslices"] == found["deviceclasses"] == ["get"]


def test_roles_of_different_holders_do_not_add_up() -> None:
    first, second = (
        role("a", rule("resourceslices", "get")),
        role("b", rule("deviceclasses", "get")),
    )

    found = permissions.together(
        subject(first, second, binding("a", ("User", "jane")), binding("b", ("User", "joe")))
    )

    assert found["deviceclasses"] == []


@pytest.mark.parametrize(
    ("who", "told"),
    [
        pytest.param(("User", "jane"), True, id="a person"),
        pytest.param(("Group", "system:authenticated"), True, id="everyone"),
        pytest.param(("Group", "system:masters"), False, id="administrators"),
        pytest.param(("User", "system:kube-scheduler"), False, id="a component"),
        pytest.param(("ServiceAccount", "driver"), False, id="a service account"),
    ],
)
def test_holders_are_people(who: tuple[str, str], told: bool) -> None:
    found = permissions.holders(subject(binding("a", who)))

    assert found == ([f"{who[0]} {who[1]}"] if told else [])


def test_wildcards_are_spelled() -> None:
    assert permissions.wildcards(subject(role("a", rule("*", "get")))) == ["resource.k8s.io *: get"]
