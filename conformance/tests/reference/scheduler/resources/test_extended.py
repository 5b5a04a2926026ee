"""From what a Pod requests to requests for devices, and from classes to who serves them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.scheduler.resources.extended import (
    asked_of,
    backed,
    classes_by_resource,
    from_devices,
)

GPU = "example.com/gpu"


def container(name: str, amount: int, **more: Any) -> dict[str, Any]:
    """Return a container that requests so many of the resource."""
    return {"name": name, "resources": {"requests": {GPU: str(amount)}}, **more}


def pod(*containers: dict[str, Any], inits: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """Return a Pod with these containers."""
    return {"metadata": {"name": "p"}, "spec": {"initContainers": inits, "containers": containers}}


def a_class(name: str, created: int, resource: str = GPU) -> dict[str, Any]:
    """Return a class that was created in this second."""
    metadata = {"name": name, "creationTimestamp": f"2026-01-01T00:00:{created:02}Z"}
    return {"metadata": metadata, "spec": {"extendedResourceName": resource}}


@pytest.mark.parametrize(
    ("classes", "serving"),
    [
        ([a_class("a", 1), a_class("b", 2)], "b"),
        ([a_class("b", 2), a_class("a", 1)], "b"),
        ([a_class("b", 1), a_class("a", 1)], "a"),
        ([a_class("a", 1), a_class("b", 1)], "a"),
    ],
    ids=["newest", "newest, seen first", "same second", "same second, seen first"],
)
def test_one_class_serves_a_resource(classes: list[dict[str, Any]], serving: str) -> None:
    found = classes_by_resource(classes)

    assert found[GPU] == serving
    assert found["deviceclass.resource.kubernetes.io/a"] == "a"


def test_only_what_is_requested_and_served_is_backed() -> None:
    wanted = pod(container("c", 0), container("d", 0))

    assert backed(wanted, {GPU: "a"}) == {}
    assert backed(pod(container("c", 1)), {}) == {}
    assert backed(pod(container("c", 1)), {GPU: "a", "other": "b"}) == {GPU: "a"}


@pytest.mark.parametrize(("has", "needed"), [({}, {GPU}), ({GPU: "0"}, {GPU}), ({GPU: "1"}, set())])
def test_a_node_with_the_resource_needs_no_devices(has: dict[str, str], needed: set[str]) -> None:
    assert from_devices([GPU], {"status": {"allocatable": has}}) == needed


@pytest.mark.parametrize(
    ("inits", "counts"),
    [
        pytest.param([1], [1, 1], id="an init container within a later one"),
        pytest.param([2], [1, 1], id="an init container within two later ones"),
        pytest.param([3], [1, 1, 1], id="one device more"),
        pytest.param([3, 5, 4], [3, 1, 1], id="the largest serves all"),
    ],
)
def test_init_containers_use_what_is_there_already(inits: list[int], counts: list[int]) -> None:
    brief = tuple(container(f"i{index}", amount) for index, amount in enumerate(inits))

    asked = asked_of(pod(container("c", 1), container("d", 1), inits=brief), {GPU: "a"}, [GPU])

    assert sorted((one["exactly"]["count"] for one in asked.requests), reverse=True) == counts
    names = {one["name"] for one in asked.requests}
    assert {row["requestName"] for row in asked.mappings} == names


def test_a_sidecar_uses_nothing_of_others() -> None:
    sidecar = container("s", 1, restartPolicy="Always")

    asked = asked_of(pod(container("c", 1), inits=(sidecar,)), {GPU: "a"}, [GPU])

    assert [one["name"] for one in asked.requests] == [
        "container-0-request-0",
        "container-1-request-0",
    ]
