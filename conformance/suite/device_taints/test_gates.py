"""Without the feature gates there are no taints, or no rules that set them."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

WITHOUT_RULES = {"DRADeviceTaintRules": False}
WITHOUT_TAINTS = {"DRADeviceTaints": False, "DRADeviceTaintRules": False}


@pytest.mark.requirement("DRA-TNT-32")
@pytest.mark.variant(gates=WITHOUT_RULES)
def test_without_the_gate_a_rule_keeps_nobody_away(tainting: Any) -> None:
    """A rule selects the only device: a claim that tolerates nothing gets it."""
    tainting.rule("NoSchedule")

    tainting.use()

    expect.same(tainting.flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-TNT-32")
@pytest.mark.variant(gates=WITHOUT_RULES)
def test_without_the_gate_a_rule_evicts_nobody(tainting: Any) -> None:
    """A rule with NoExecute selects the device of a Pod, which stays."""
    tainting.use()

    tainting.rule()

    tainting.stays()


@pytest.mark.requirement("DRA-TNT-33")
@pytest.mark.variant(gates=WITHOUT_TAINTS)
def test_without_the_gate_a_slice_is_stored_without_taints(world: World) -> None:
    """A driver that publishes a taint gets a slice without it."""
    taint = {"key": "d.example/broken", "value": "yes", "effect": "NoSchedule"}
    stored = world.apply("device_taints/slice", taint=taint).of("ResourceSlice")

    expect.absent(stored, "spec.devices[0].taints")
