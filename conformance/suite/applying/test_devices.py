"""Several managers and the entries of status.devices."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


@pytest.mark.requirement("DRA-SSA-01")
def test_the_entries_of_two_managers_stay_beside_each_other(applied: Any) -> None:
    """Each driver applies its own device; none takes the other's away."""
    applied.apply("first", applied.entry("device-1"))
    applied.apply("second", applied.entry("device-2"))

    expect.same(applied.devices(), ["device-1", "device-2"], path="status.devices")


@pytest.mark.requirement("DRA-SSA-02")
def test_another_value_for_an_owned_field_is_a_conflict_about_that_field(applied: Any) -> None:
    """The refusal names the status of the condition, and the value stays."""
    applied.apply("first", applied.entry("device-1", ("Ready", "True")))
    contested = f'.status.devices{applied.key("device-1")}.conditions[type="Ready"].status'

    with expect.refused(409, contested):
        applied.apply("second", applied.entry("device-1", ("Ready", "False")))

    expect.same(applied.conditions("device-1"), {"Ready": "True"}, path="conditions")


@pytest.mark.requirement("DRA-SSA-03")
def test_force_takes_the_contested_field_and_leaves_the_rest(applied: Any) -> None:
    """The new value is there; the first manager keeps its other condition, and not this field."""
    applied.apply("first", applied.entry("device-1", ("Ready", "True"), ("Up", "True")))

    applied.apply("second", applied.entry("device-1", ("Ready", "False")), force=True)

    expect.same(applied.conditions("device-1"), {"Ready": "False", "Up": "True"}, path="conditions")
    entries = expect.present(applied.claim.owned("first"), "f:status")["f:devices"]
    (device,) = entries.values()
    conditions = device["f:conditions"]
    expect.absent(conditions['k:{"type":"Ready"}'], "f:status")
    expect.field(conditions['k:{"type":"Up"}'], "f:status", {})


@pytest.mark.requirement("DRA-SSA-04")
def test_an_entry_that_its_manager_leaves_out_goes(applied: Any) -> None:
    """What the manager applies is all that it wants; the entry of another one is not its."""
    applied.apply("first", applied.entry("device-1"))
    applied.apply("second", applied.entry("device-2"))

    applied.apply("first")

    expect.same(applied.devices(), ["device-2"], path="status.devices")


@pytest.mark.requirement("DRA-SSA-05")
def test_what_two_managers_own_stays_when_one_leaves_it_out(applied: Any) -> None:
    """Both have applied the condition; it goes with the last of them."""
    for manager in ("first", "second"):
        applied.apply(manager, applied.entry("device-1", ("Ready", "True")))

    applied.apply("first", applied.entry("device-1"))
    expect.same(applied.conditions("device-1"), {"Ready": "True"}, path="conditions")

    applied.apply("second", applied.entry("device-1"))
    expect.same(applied.conditions("device-1"), {}, path="conditions")


@pytest.mark.requirement("DRA-SSA-06")
def test_conditions_of_a_device_are_merged_by_type(applied: Any) -> None:
    """Two managers set two conditions of one device."""
    applied.apply("first", applied.entry("device-1", ("Ready", "True")))
    applied.apply("second", applied.entry("device-1", ("Up", "True")))

    expect.same(applied.conditions("device-1"), {"Ready": "True", "Up": "True"}, path="conditions")


@pytest.mark.requirement("DRA-SSA-10")
def test_the_same_apply_again_writes_nothing(applied: Any) -> None:
    """The resourceVersion stays, so that watchers hear nothing."""
    first = applied.apply("first", applied.entry("device-1", ("Ready", "True")))

    again = applied.apply("first", applied.entry("device-1", ("Ready", "True")))

    expect.field(again, "metadata.resourceVersion", first["metadata"]["resourceVersion"])
