"""Facts never raise, whatever an object looks like."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.policy.facts.table import FACTS
from conformance.policy.model import Place
from conformance.policy.paths import pod_steps
from conformance.policy.world import Manifest, Subject, World

KINDS = (
    "Pod", "DaemonSet", "Deployment", "CronJob", "DeviceClass", "ResourceClaim", "ResourceSlice",
    "ResourceClaimTemplate", "ClusterRole", "Role", "RoleBinding", "ClusterRoleBinding", "Node",
    "KubeletConfiguration", "KubeSchedulerConfiguration", "NodePool", "Namespace",
    "ValidatingAdmissionPolicy", "PrometheusRule", "Cluster", "",
)  # fmt: skip
WORDS = st.sampled_from(
    ["metadata", "name", "namespace", "labels", "annotations", "spec", "template", "containers",
     "volumes", "hostPath", "path", "rules", "verbs", "resources", "apiGroups", "subjects",
     "roleRef", "kind", "devices", "requests", "exactly", "firstAvailable", "selectors", "cel",
     "expression", "driver", "pool", "attributes", "basic", "args", "command", "image", "groups",
     "featureGates", "status", "nodeInfo", "containerRuntimeVersion", "capacity", "count"]
)  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 99), st.floats(allow_nan=False),
    st.sampled_from(["", "a", "/var/lib/kubelet/plugins", "--v=2", "1.37", "device.driver == 'a'",
                     "ClusterRole", "*", "resourceslices", "containerd://1.7"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(WORDS, below, max_size=4),
    max_leaves=12,
)


@st.composite
def objects(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": draw(st.sampled_from(KINDS)),
        **draw(st.dictionaries(WORDS, VALUES, max_size=5)),
    }


@settings(deadline=None)
@given(those=st.lists(objects(), min_size=1, max_size=4))
def test_facts_are_silent_about_what_makes_no_sense(those: list[Any]) -> None:
    for one in those:
        one["kind"] = one["kind"] if isinstance(one["kind"], str) else ""
    world = World.of_manifests(Manifest(object=one, place=Place(file="f")) for one in those)

    for one in those:
        for fact in FACTS.values():
            fact(Subject(object=one, world=world))


def test_every_kind_of_workload_has_the_spec_of_its_pod() -> None:
    spec = {"serviceAccountName": "a"}
    for kind in ("Pod", "DaemonSet", "CronJob", "PodTemplate"):
        obj: dict[str, Any] = {"kind": kind}
        here = obj
        steps = pod_steps(kind)
        assert steps is not None
        for step in steps[:-1]:
            here = here.setdefault(step, {})
        here[steps[-1]] = spec

        assert FACTS["pod"](Subject(object=obj, world=World.of_manifests([]))) == spec
