"""Which fields become whose: lists, whole values, subresources, and updates."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import known
from conformance.harness.ownership.managers import Managers
from conformance.harness.world import World

SLICES = known("resource.k8s.io", "v1", "resourceslices")


@pytest.mark.requirement("DRA-SSA-06")
def test_reservations_are_merged_by_uid(applied: Any) -> None:
    """Two managers reserve the claim for two consumers, of a kind that no controller knows."""
    for uid in ("one", "two"):
        kind = {"apiGroup": "conformance.test", "resource": "consumers"}
        consumer = {**kind, "name": f"consumer-{uid}", "uid": uid}
        body = {"status": {"reservedFor": [consumer]}}
        applied.claim.apply(f"manager-{uid}", body, subresource="status")

    reserved = applied.claim.read()["status"]["reservedFor"]
    expect.same(sorted(row["uid"] for row in reserved), ["one", "two"], path="reservedFor")


@pytest.mark.requirement("DRA-SSA-06")
def test_finalizers_are_merged_as_a_set(applied: Any) -> None:
    """Each manager brings its own finalizer, and takes only that one away."""
    for name in ("one", "two"):
        body = {"metadata": {"finalizers": [f"conformance.test/{name}"]}}
        applied.claim.apply(name, body)
    both = applied.claim.read()["metadata"]["finalizers"]

    applied.claim.apply("one", {})

    expect.same(sorted(both), ["conformance.test/one", "conformance.test/two"], path="finalizers")
    left = applied.claim.apply("two", {})
    expect.absent(left, "metadata.finalizers")


@pytest.mark.requirement("DRA-SSA-07")
def test_the_devices_of_a_slice_are_one_value(world: World, flow: Any) -> None:
    """Another list conflicts as a whole, and by force takes the place of the first one."""
    flow.publish("device-1", "device-2")
    (slice_,) = world.api.list(SLICES, fields=f"spec.driver={world.driver}")
    managers = Managers(world.api, slice_)
    body = {"spec": {"devices": [{"name": "device-3"}]}}

    with expect.refused(409, ".spec.devices"):
        managers.apply("other", body)
    managers.apply("other", body, force=True)

    expect.field(managers.read(), "spec.devices", [{"name": "device-3"}])


@pytest.mark.requirement("DRA-SSA-08")
def test_the_status_is_not_owned_through_the_main_resource(applied: Any) -> None:
    """Labels are; the status that comes with them is neither written nor owned."""
    body = {
        "metadata": {"labels": {"conformance.test/label": "one"}},
        "status": {"devices": [applied.entry("device-1")]},
    }

    applied.claim.apply("first", body)

    expect.same(applied.devices(), [], path="status.devices")
    expect.same(
        applied.claim.owned("first"),
        {"f:metadata": {"f:labels": {"f:conformance.test/label": {}}}},
        path="metadata.managedFields",
    )


@pytest.mark.requirement("DRA-SSA-08")
def test_metadata_are_not_owned_through_the_status(applied: Any) -> None:
    """The entry is; the label that comes with it is neither written nor owned."""
    body = {
        "metadata": {"labels": {"conformance.test/label": "one"}},
        "status": {"devices": [applied.entry("device-1")]},
    }

    applied.claim.apply("first", body, subresource="status")

    labels = applied.claim.read()["metadata"].get("labels") or {}
    expect.that("conformance.test/label" not in labels, "no such label", observed=labels)
    expect.absent(applied.claim.owned("first"), "f:metadata")
    expect.present(applied.claim.owned("first"), "f:status")


@pytest.mark.requirement("DRA-SSA-09")
def test_a_patch_becomes_the_owner_of_what_it_changes(applied: Any) -> None:
    """After it, the value of the former owner is a conflict."""
    mine = {"metadata": {"labels": {"conformance.test/label": "mine"}}}
    applied.claim.apply("first", mine)

    applied.claim.patch("second", {"metadata": {"labels": {"conformance.test/label": "yours"}}})

    with expect.refused(409, ".metadata.labels.conformance.test/label"):
        applied.claim.apply("first", mine)
