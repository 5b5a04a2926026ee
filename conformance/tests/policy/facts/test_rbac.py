"""Which rules apply to the service account of a workload, and which workloads are drivers."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts.table import FACTS
from conformance.policy.manifests.documents import read_text
from conformance.policy.world import Subject, World

DRIVER = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin, namespace: gpu}
spec:
  template:
    spec:
      serviceAccountName: plugin
      containers:
      - {name: plugin, image: registry.example/gpu:v1, args: [--v, "2", --feature-gates=A=true]}
      volumes:
      - {name: plugins, hostPath: {path: /var/lib/kubelet/plugins}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: plugin}
rules:
- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: plugin}
roleRef: {kind: ClusterRole, name: plugin, apiGroup: rbac.authorization.k8s.io}
subjects:
- {kind: ServiceAccount, name: plugin, namespace: gpu}
"""


def fact(name: str, kind: str, text: str) -> Any:
    world = World.of_manifests(read_text(text, "f").manifests)
    return FACTS[name](Subject(object=world.of(kind)[0], world=world))


def test_rules_that_apply_are_found_through_their_binding() -> None:
    (rule,) = fact("grants", "DaemonSet", DRIVER)

    assert rule["resources"] == ["resourceslices"]
    assert rule["clusterWide"] is True
    assert rule["role"] == "plugin"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: plugin, namespace: gpu}\n", "name: plugin, namespace: other}\n"),
        ("kind: ServiceAccount, name: plugin", "kind: ServiceAccount, name: other"),
        ("kind: ClusterRole, name: plugin", "kind: ClusterRole, name: other"),
        ("serviceAccountName: plugin", "serviceAccountName: other"),
    ],
    ids=["namespace", "name", "role", "account"],
)
def test_rules_of_others_do_not_apply(old: str, new: str) -> None:
    head, _, tail = DRIVER.rpartition(old)

    assert fact("grants", "DaemonSet", f"{head}{new}{tail}") == []


def test_a_group_holds_every_service_account() -> None:
    text = DRIVER.replace(
        "{kind: ServiceAccount, name: plugin, namespace: gpu}",
        "{kind: Group, name: 'system:serviceaccounts:gpu'}",
    )

    assert len(fact("grants", "DaemonSet", text)) == 1


def test_an_aggregated_role_has_the_rules_of_others() -> None:
    text = (
        DRIVER.replace(
            "rules:\n"
            "- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [create]}",
            "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}",
        )
        + """---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: more, labels: {a: b}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
"""
    )

    assert [one["resources"] for one in fact("grants", "DaemonSet", text)] == [["nodes"]]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("", "", True),
        ("kubelet/plugins}", "kubelet/plugins_registry/}", True),
        ("kubelet/plugins}", "kubelet/device-plugins}", False),
        ("registry.example/gpu:v1", "registry.example/csi-node:v1", False),
        ("[resourceslices]", "[nodes]", False),
        ("kind: ClusterRoleBinding", "kind: Other", True),
    ],
    ids=["driver", "registry", "device-plugin", "storage", "other-rules", "no-rules"],
)
def test_drivers_are_told_from_others(old: str, new: str, found: bool) -> None:
    text = DRIVER.replace(old, new, 1) if old else DRIVER

    assert fact("isDriver", "DaemonSet", text) is found


def test_flags_and_gates_are_read() -> None:
    assert fact("args", "DaemonSet", DRIVER) == {"--v": "2", "--feature-gates": "A=true"}
    assert fact("gates", "DaemonSet", DRIVER) == {"A": True}


def test_subjects_of_a_role_tell_whether_they_are_drivers() -> None:
    (subject,) = fact("subjects", "ClusterRole", DRIVER)

    assert subject["driver"] is True
    assert subject["name"] == "plugin"
