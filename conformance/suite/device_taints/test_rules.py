"""DeviceTaintRules: which devices they taint, and that their taints are like any other."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect


def selecting(tainting: Any, *criteria: str, **others: str) -> dict[str, Any]:
    """Return a selector of the world's device by these criteria; ``others`` do not match."""
    own = {"driver": tainting.world.driver, "pool": tainting.world.pool, "device": "device-1"}
    return {**{one: own[one] for one in criteria}, **others}


def keeping_away(selector: dict[str, Any]) -> dict[str, Any]:
    """Return the spec of a rule that keeps claims away from what it selects."""
    taint = {"key": "d.example/broken", "value": "yes", "effect": "NoSchedule"}
    return {"deviceSelector": selector, "taint": taint}


@pytest.mark.requirement("DRA-TNT-19")
@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
@pytest.mark.parametrize(
    "criteria",
    [
        pytest.param(["driver"], id="by driver"),
        pytest.param(["pool"], id="by pool"),
        pytest.param(["driver", "pool", "device"], id="by driver, pool and device"),
    ],
)
def test_a_device_that_a_rule_taints_is_not_allocated(
    tainting: Any, effect: str, criteria: list[str]
) -> None:
    """The only device is selected by a rule: a request that tolerates nothing gets none."""
    tainting.rule(effect, deviceSelector=selecting(tainting, *criteria))

    tainting.flow.claim()
    tainting.flow.pod()

    tainting.world.pods.unschedulable("pod")
    tainting.world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-TNT-20")
@pytest.mark.parametrize(
    ("matching", "differing"),
    [
        pytest.param(["pool", "device"], {"driver": "d.example"}, id="another driver"),
        pytest.param(["driver", "device"], {"pool": "elsewhere"}, id="another pool"),
        pytest.param(["driver", "pool"], {"device": "device-2"}, id="another device"),
    ],
)
def test_a_rule_does_not_taint_what_differs_in_one_criterion(
    tainting: Any, matching: list[str], differing: dict[str, str]
) -> None:
    """The device matches all criteria but one: it is allocated."""
    tainting.rule(**keeping_away(selecting(tainting, *matching, **differing)))

    tainting.use()

    expect.same(tainting.flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-TNT-21")
def test_a_rule_without_a_selector_taints_nothing(tainting: Any) -> None:
    """The rule has a taint and says nothing of devices: all of them stay free."""
    taint = {"key": "d.example/broken", "value": "yes", "effect": "NoSchedule"}
    tainting.rule(taint=taint)

    tainting.use()

    expect.same(tainting.flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-TNT-22")
def test_a_rule_with_an_empty_selector_taints_everything(tainting: Any) -> None:
    """The selector is there and has no criterion: no device of the cluster is free."""
    rule = tainting.rule(**keeping_away({}))
    tainting.flow.claim()
    tainting.flow.pod()

    tainting.world.pods.unschedulable("pod")
    tainting.world.withdraw(rule)

    tainting.world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-TNT-23")
@pytest.mark.parametrize(
    "criteria",
    [
        pytest.param(["driver"], id="by driver"),
        pytest.param(["driver", "pool", "device"], id="by driver, pool and device"),
    ],
)
def test_a_pod_leaves_a_device_that_a_rule_taints(tainting: Any, criteria: list[str]) -> None:
    """The device of a Pod is selected by a rule with NoExecute."""
    tainting.use()

    tainting.rule(deviceSelector=selecting(tainting, *criteria))

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-24")
def test_a_pod_leaves_a_device_whose_slice_is_gone(tainting: Any) -> None:
    """No slice tells of the device any more; the claim of the Pod still does."""
    tainting.use()
    tainting.unpublish()

    tainting.rule(deviceSelector=selecting(tainting, "driver", "pool", "device"))

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-25")
def test_a_device_is_allocated_when_the_rule_is_gone(tainting: Any) -> None:
    """A Pod waits for the only device, which a rule taints, until the rule is deleted."""
    rule = tainting.rule("NoSchedule")
    tainting.flow.claim()
    tainting.flow.pod()
    tainting.world.pods.unschedulable("pod")

    tainting.world.withdraw(rule)

    tainting.world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-TNT-26")
@pytest.mark.parametrize(
    "tolerated",
    [
        pytest.param(["d.example/hot"], id="that of the slice alone"),
        pytest.param(["d.example/broken"], id="that of the rule alone"),
    ],
)
def test_taints_of_slice_and_rule_count_together(tainting: Any, tolerated: list[str]) -> None:
    """The device has one taint of each; a claim that tolerates one of them does not get it."""
    tainting.taint("None", {"key": "d.example/hot", "effect": "NoSchedule"})
    tainting.rule("NoSchedule")
    tolerations = [{"key": key, "operator": "Exists"} for key in tolerated]

    tainting.flow.claim(tainting.flow.exactly(tolerations=tolerations))
    tainting.flow.pod()

    tainting.world.pods.unschedulable("pod")
    tainting.world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-TNT-26")
def test_a_claim_that_tolerates_both_gets_the_device(tainting: Any) -> None:
    """A claim that tolerates the taint of the slice and that of the rule is allocated."""
    tainting.taint("None", {"key": "d.example/hot", "effect": "NoSchedule"})
    tainting.rule("NoSchedule")

    tainting.use(
        {"key": "d.example/hot", "operator": "Exists"},
        {"key": "d.example/broken", "operator": "Exists"},
    )

    expect.same(tainting.flow.devices(), ["device-1"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-TNT-27")
@pytest.mark.parametrize("effect", ["NoSchedule", "None"])
def test_a_rule_that_begins_to_evict_evicts(tainting: Any, effect: str) -> None:
    """The rule kept others away, or was a rehearsal; then it is given the effect NoExecute."""
    tainting.use()
    rule = tainting.rule(effect)

    tainting.change_effect(rule, "NoExecute")

    tainting.evicted()
