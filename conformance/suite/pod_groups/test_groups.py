"""PodGroups: where they are served, and how long a deleted one stays."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)

#: Keeps a group in existence while Pods of it may run.
PROTECTION = "scheduling.k8s.io/podgroup-protection"


@pytest.mark.requirement("DRA-PGR-01")
def test_groups_can_have_claims(world: World, grouped: Any) -> None:
    """A PodGroup of v1beta1 is stored with its claims."""
    group = grouped.group("group", grouped.entry(claim="mine"), grouped.entry("other"))

    stored = world.read(group)

    entries = [grouped.entry(claim="mine"), grouped.entry("other")]
    expect.field(stored, "spec.resourceClaims", entries)


@pytest.mark.requirement("DRA-PGR-05")
def test_a_group_is_protected(world: World, grouped: Any) -> None:
    """A new group carries the finalizer that keeps it while it is used."""
    group = world.read(grouped.group())

    found = group["metadata"].get("finalizers") or []

    expect.that(PROTECTION in found, PROTECTION, path="metadata.finalizers", observed=found)


@pytest.mark.requirement("DRA-PGR-06")
def test_a_group_with_pods_stays(grouped: Any) -> None:
    """A deleted group whose Pod has not ended is still there."""
    group = grouped.group()
    grouped.pod()

    grouped.delete(group)

    grouped.stays(group)


@pytest.mark.requirement("DRA-PGR-07")
def test_a_group_without_pods_goes(grouped: Any) -> None:
    """A group without Pods goes at once when it is deleted."""
    group = grouped.group()

    grouped.delete(group)

    grouped.gone(group)


@pytest.mark.requirement("DRA-PGR-07")
def test_a_group_goes_with_the_end_of_its_last_pod(world: World, grouped: Any) -> None:
    """One Pod ends and one is deleted: the group that was deleted before them is gone."""
    group = grouped.group()
    grouped.pod("first")
    grouped.pod("second")
    grouped.delete(group)

    grouped.ends("first")
    world.pods.delete("second", grace=0)

    grouped.gone(group)
