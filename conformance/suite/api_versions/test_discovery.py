"""What discovery says of the versions of resource.k8s.io."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.world import World

GROUP = "resource.k8s.io"

pytestmark = pytest.mark.variant(serves=[f"{GROUP}/v1beta1", f"{GROUP}/v1beta2"])

_KINDS = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"]


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
