"""Which kinds resource.k8s.io/v1 serves, and in which scope."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.world import World


@pytest.mark.requirement("DRA-WF-16")
@pytest.mark.parametrize(
    ("plural", "kind", "namespaced"),
    [
        pytest.param("deviceclasses", "DeviceClass", False, id="DeviceClass"),
        pytest.param("resourceslices", "ResourceSlice", False, id="ResourceSlice"),
        pytest.param("resourceclaims", "ResourceClaim", True, id="ResourceClaim"),
        pytest.param(
            "resourceclaimtemplates", "ResourceClaimTemplate", True, id="ResourceClaimTemplate"
        ),
    ],
)
def test_a_kind_is_served_in_its_scope(
    world: World, plural: str, kind: str, namespaced: bool
) -> None:
    """Discovery lists the kind, namespaced or not."""
    served = world.api.ask("GET", "/apis/resource.k8s.io/v1")

    rows = {row["name"]: (row["kind"], row["namespaced"]) for row in served["resources"]}

    expect.same(rows.get(plural), (kind, namespaced), path=f"resources of {plural}")
