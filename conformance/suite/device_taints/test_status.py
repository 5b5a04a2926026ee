"""What the status of a DeviceTaintRule says of its eviction; reasons and messages are free."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

#: Longer than any check waits.
TOLERATED = {
    "key": "d.example/broken",
    "operator": "Exists",
    "effect": "NoExecute",
    "tolerationSeconds": 3600,
}


@pytest.mark.requirement("DRA-TNT-28")
@pytest.mark.parametrize("effect", ["NoExecute", "NoSchedule", "None"])
def test_nothing_is_in_progress_without_pods(tainting: Any, effect: str) -> None:
    """No Pod uses the device: the rule says that no eviction is in progress."""
    rule = tainting.rule(effect)

    tainting.progress(rule, "False")


@pytest.mark.requirement("DRA-TNT-28")
@pytest.mark.parametrize("effect", ["NoSchedule", "None"])
def test_nothing_is_in_progress_where_nobody_has_to_go(tainting: Any, effect: str) -> None:
    """A Pod uses the device, but the effect evicts nobody."""
    tainting.use()
    rule = tainting.rule(effect)

    tainting.progress(rule, "False")


@pytest.mark.requirement("DRA-TNT-29")
def test_an_eviction_is_in_progress_while_a_pod_has_to_go(tainting: Any) -> None:
    """A Pod tolerates the taint for a time: until that is over its eviction is in progress."""
    tainting.use(TOLERATED)

    rule = tainting.rule()

    tainting.progress(rule, "True")


@pytest.mark.requirement("DRA-TNT-30")
def test_nothing_is_in_progress_after_the_last_pod(tainting: Any) -> None:
    """A Pod was evicted by the rule: soon the rule says that this is over."""
    tainting.use({**TOLERATED, "tolerationSeconds": 15})
    rule = tainting.rule()
    tainting.progress(rule, "True")

    tainting.evicted()

    tainting.progress(rule, "False")


@pytest.mark.requirement("DRA-TNT-31")
def test_the_condition_tells_which_spec_it_is_about(tainting: Any) -> None:
    """After a change of the spec the condition follows its new generation."""
    rule = tainting.rule("None")
    tainting.progress(rule, "False")

    changed = tainting.change_effect(rule, "NoSchedule")

    tainting.world.until(
        "the condition is about the new spec",
        lambda: expect.field(
            expect.condition(tainting.world.read(rule), "EvictionInProgress", "False"),
            "observedGeneration",
            changed["metadata"]["generation"],
        ),
        bound="taint-rule-status",
    )
