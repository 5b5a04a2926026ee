"""Effects that keep nobody away, and those that drive nobody away."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


@pytest.mark.requirement("DRA-TNT-01")
def test_a_taint_without_effect_leaves_the_device_free(tainting: Any) -> None:
    """The only device has a taint that only tells something: it is allocated all the same."""
    tainting.taint("None")

    tainting.use()

    expect.same(tainting.flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-TNT-06")
@pytest.mark.parametrize("effect", ["NoSchedule", "None"])
def test_a_taint_of_the_slice_that_does_not_evict_lets_pods_be(tainting: Any, effect: str) -> None:
    """The device gets a taint that only keeps others away, or nobody: its Pod stays."""
    tainting.use()

    tainting.taint(effect)

    tainting.stays()


@pytest.mark.requirement("DRA-TNT-06")
@pytest.mark.parametrize("effect", ["NoSchedule", "None"])
def test_a_rule_that_does_not_evict_lets_pods_be(tainting: Any, effect: str) -> None:
    """The same of a DeviceTaintRule; with None it is a rehearsal of an eviction, and no more."""
    tainting.use()

    rule = tainting.rule(effect)

    tainting.progress(rule, "False")
    tainting.stays()
