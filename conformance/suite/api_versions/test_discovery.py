"""What discovery says of the versions of resource.k8s.io."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

GROUP = "resource.k8s.io"

pytestmark = pytest.mark.variant(serves=[f"{GROUP}/v1beta1", f"{GROUP}/v1beta2"])

_KINDS = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"]


def at_once(world: World) -> list[dict[str, Any]]:
    """Return what aggregated discovery says of the group's versions."""
    groups: list[dict[str, Any]] = world.api.discovery()["items"]
    found = [one["versions"] for one in groups if one["metadata"].get("name") == GROUP]
    expect.same(len(found), 1, path=f"items of {GROUP}")
    versions: list[dict[str, Any]] = found[0]
    return versions


def flat(resources: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the verbs of resources and subresources, by the name in the list of a version."""
    rows = [(one["resource"], one) for one in resources]
    rows += [
        (f"{one['resource']}/{sub['subresource']}", sub)
        for one in resources
        for sub in one.get("subresources") or []
    ]
    return {name: sorted(row["verbs"]) for name, row in rows}


@pytest.mark.requirement("DRA-VER-09a")
def test_the_stable_version_is_preferred(world: World) -> None:
    """A client that has no opinion speaks v1."""
    group = world.api.ask("GET", f"/apis/{GROUP}")

    expect.field(group, "preferredVersion.version", "v1")


@pytest.mark.requirement("DRA-VER-09b")
def test_versions_are_listed_from_the_stable_one_on(world: World) -> None:
    """Others, such as alphas, come after the betas."""
    group = world.api.ask("GET", f"/apis/{GROUP}")

    listed = [one["version"] for one in group["versions"]]
    expect.same(listed[:3], ["v1", "v1beta2", "v1beta1"], path="versions")


@pytest.mark.requirement("DRA-VER-09c")
@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_the_shapes_of_a_version_are_published(world: World, version: str) -> None:
    """Each kind is described under the name of its version."""
    document = world.api.ask("GET", f"/openapi/v3/apis/{GROUP}/{version}")

    schemas = document["components"]["schemas"]
    described = [one for one in _KINDS if f"io.k8s.api.resource.{version}.{one}" in schemas]
    expect.same(described, _KINDS, path="components.schemas")


@pytest.mark.requirement("DRA-VER-16")
def test_versions_stand_in_the_same_order_when_all_is_told_at_once(world: World) -> None:
    """A client that takes the first version of aggregated discovery speaks v1."""
    listed = [one["version"] for one in at_once(world)]

    expect.same(listed[:3], ["v1", "v1beta2", "v1beta1"], path="versions")


@pytest.mark.requirement("DRA-VER-17")
@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_the_same_resources_are_told_at_once(world: World, version: str) -> None:
    """Each resource and subresource of a version, with its verbs, and none besides."""
    alone = world.api.ask("GET", f"/apis/{GROUP}/{version}")["resources"]

    told = next(one["resources"] for one in at_once(world) if one["version"] == version)

    wanted = {one["name"]: sorted(one["verbs"]) for one in alone}
    expect.same(flat(told), wanted, path="resources")
