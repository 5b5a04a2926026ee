"""Which devices classes and claims select among the slices at hand."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.policy.facts.table import FACTS
from conformance.policy.manifests.documents import read_text
from conformance.policy.world import Subject, World

SLICES = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: one}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: a, attributes: {model: {string: big}}, capacity: {memory: {value: 80Gi}}}
  - {name: b, attributes: {model: {string: small}}, capacity: {memory: {value: 8Gi}}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceSlice
metadata: {name: two}
spec:
  driver: gpu.example.com
  nodeName: node-2
  pool: {name: node-2, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: c, basic: {attributes: {model: {string: big}}, capacity: {memory: {value: 80Gi}}}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.example.com"
"""
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        count: 1
        selectors:
        - cel:
            expression: device.attributes["gpu.example.com"].model == "big"
"""


def fact(name: str, kind: str, text: str) -> Any:
    world = World.of_manifests(read_text(text, "f").manifests)
    return FACTS[name](Subject(object=world.of(kind)[0], world=world))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("", "", []),
        ('"big"', '"huge"', ["gpu"]),
        ("count: 1", "count: 2", ["gpu"]),
        ('model == "big"', 'model != ""', []),
        ("count: 1", "allocationMode: All", []),
        ("deviceClassName: gpu", "deviceClassName: nic", []),
        ('model == "big"', "model ==", []),
    ],
    ids=["fits", "nothing-selected", "no-node-has-two", "any", "all", "unknown-class", "broken"],
)
def test_a_request_that_no_node_can_satisfy_is_named(old: str, new: str, found: list[str]) -> None:
    claim = CLAIM.replace(old, new, 1) if old else CLAIM

    assert fact("unsatisfiable", "ResourceClaim", f"{SLICES}---\n{claim}") == found


def test_nothing_is_unsatisfiable_without_slices() -> None:
    assert fact("unsatisfiable", "ResourceClaim", CLAIM.replace('"big"', '"huge"')) == []


def test_one_alternative_is_enough() -> None:
    choice = CLAIM.replace("exactly:", "firstAvailable:").replace(
        "        deviceClassName", "      - name: first\n        deviceClassName"
    )
    huge = choice.replace('"big"', '"huge"')
    both = huge + "      - {name: second, deviceClassName: gpu.example.com}\n"

    assert fact("unsatisfiable", "ResourceClaim", f"{SLICES}---\n{huge}") == ["gpu"]
    assert fact("unsatisfiable", "ResourceClaim", f"{SLICES}---\n{both}") == []


def test_a_class_tells_how_many_devices_it_selects() -> None:
    assert fact("devices", "DeviceClass", SLICES) == 3
    assert fact("devices", "DeviceClass", SLICES.replace('== "gpu', '== "nic')) == 0


def test_selectors_that_do_not_compile_are_told_by_their_text() -> None:
    troubles = fact("selectorErrors", "ResourceClaim", CLAIM.replace('== "big"', "=="))

    ((expression, trouble),) = troubles.items()
    assert expression.rstrip().endswith("==")
    assert trouble.startswith("compilation failed: ")


def test_a_selector_may_not_be_huge() -> None:
    huge = CLAIM.replace('"big"', f'"{"x" * 20_000}"')
    (trouble,) = fact("selectorErrors", "ResourceClaim", huge).values()

    assert trouble.endswith("is longer than 10240 characters")
