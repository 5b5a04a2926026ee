"""Since when a taint holds: from it the seconds of a toleration count."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

#: A time that no clock of a cluster says.
LONG_AGO = "2020-02-02T02:02:02Z"

TAINT = {"key": "d.example/broken", "value": "yes", "effect": "None"}


@pytest.mark.requirement("DRA-TNT-02")
def test_a_taint_of_a_slice_gets_its_time(world: World) -> None:
    """A slice is stored with the time of each taint that came without."""
    stored = world.apply("device_taints/slice", taint=TAINT).of("ResourceSlice")

    expect.present(stored, "spec.devices[0].taints[0].timeAdded")


@pytest.mark.requirement("DRA-TNT-02")
def test_a_taint_of_a_rule_gets_its_time(tainting: Any) -> None:
    """A rule is stored with the time of its taint."""
    stored = tainting.rule("None")

    expect.present(stored, "spec.taint.timeAdded")


@pytest.mark.requirement("DRA-TNT-03")
def test_a_slice_keeps_the_time_that_its_driver_gives(world: World) -> None:
    """A driver that knows since when a device is broken is believed."""
    taint = {**TAINT, "timeAdded": LONG_AGO}
    stored = world.apply("device_taints/slice", taint=taint).of("ResourceSlice")

    expect.field(stored, "spec.devices[0].taints[0].timeAdded", LONG_AGO)


@pytest.mark.requirement("DRA-TNT-03")
def test_a_rule_keeps_the_time_that_it_is_created_with(tainting: Any) -> None:
    """So is an administrator."""
    selector = {"driver": tainting.world.driver}
    stored = tainting.rule(taint={**TAINT, "timeAdded": LONG_AGO}, deviceSelector=selector)

    expect.field(stored, "spec.taint.timeAdded", LONG_AGO)


@pytest.mark.requirement("DRA-TNT-04")
def test_another_effect_of_a_rule_holds_from_its_change_on(tainting: Any) -> None:
    """The seconds of a toleration begin when the effect does, not when the rule was made."""
    selector = {"driver": tainting.world.driver}
    rule = tainting.rule(taint={**TAINT, "timeAdded": LONG_AGO}, deviceSelector=selector)

    changed = tainting.change_effect(rule, "NoSchedule")

    added = expect.present(changed, "spec.taint.timeAdded")
    expect.that(added > LONG_AGO, "a later time", path="spec.taint.timeAdded", observed=added)
