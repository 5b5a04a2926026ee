"""Tolerations of NoExecute: for whom, how long, and what ends them early."""

from __future__ import annotations

from typing import Any

import pytest

#: What tolerates the taint of these checks.
TOLERATED = {"key": "d.example/broken", "operator": "Exists", "effect": "NoExecute"}

#: For so many seconds; checks that wait longer than that are told in the table of waits.
FOR_A_WHILE = {**TOLERATED, "tolerationSeconds": 15}
FOR_LONG = {**TOLERATED, "tolerationSeconds": 3600}


@pytest.mark.requirement("DRA-TNT-08")
@pytest.mark.parametrize(
    "toleration",
    [
        pytest.param({"key": "d.example/broken", "value": "yes"}, id="its value"),
        pytest.param({"key": "d.example/broken", "operator": "Exists"}, id="any value"),
        pytest.param({"operator": "Exists"}, id="every key"),
    ],
)
def test_a_pod_that_tolerates_the_taint_stays(tainting: Any, toleration: dict[str, Any]) -> None:
    """The claim tolerates the taint without an end."""
    tainting.use({**toleration, "effect": "NoExecute"})

    tainting.taint()

    tainting.stays()


@pytest.mark.requirement("DRA-TNT-09")
@pytest.mark.parametrize(
    "difference",
    [
        pytest.param({"key": "d.example/other"}, id="another key"),
        pytest.param({"operator": "Equal", "value": "no"}, id="another value"),
        pytest.param({"effect": "NoSchedule"}, id="another effect"),
    ],
)
def test_a_toleration_of_something_else_does_not_help(
    tainting: Any, difference: dict[str, Any]
) -> None:
    """The claim tolerates a taint that is not this one."""
    tainting.use({**TOLERATED, **difference})

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-10")
def test_a_pod_stays_as_long_as_its_claim_tolerates(tainting: Any) -> None:
    """The claim tolerates the taint for 15 s: for most of that time nothing happens."""
    tainting.use(FOR_A_WHILE)

    tainting.taint()

    tainting.stays(for_="taint-tolerated")


@pytest.mark.requirement("DRA-TNT-11")
def test_a_pod_leaves_when_its_time_is_over(tainting: Any) -> None:
    """The claim tolerates the taint for 15 s, and no longer."""
    tainting.use(FOR_A_WHILE)

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-12")
@pytest.mark.parametrize(
    "seconds", [pytest.param(0, id="no second"), pytest.param(-3600, id="less than none")]
)
def test_no_time_at_all_is_none(tainting: Any, seconds: int) -> None:
    """A toleration for no time does not help."""
    tainting.use({**TOLERATED, "tolerationSeconds": seconds})

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-13")
def test_the_shortest_toleration_counts(tainting: Any) -> None:
    """Two tolerations cover the taint: the Pod leaves when the shorter one ends."""
    tainting.use(FOR_LONG, FOR_A_WHILE)

    tainting.taint()

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-14")
def test_the_first_taint_whose_time_is_over_counts(tainting: Any) -> None:
    """Two taints are tolerated, for long and for a while: the Pod leaves after a while."""
    tainting.use(FOR_LONG, {**FOR_A_WHILE, "key": "d.example/hot"})

    tainting.taint("NoExecute", {"key": "d.example/hot", "effect": "NoExecute"})

    tainting.evicted()


@pytest.mark.requirement("DRA-TNT-15")
@pytest.mark.parametrize(
    "end",
    [
        pytest.param("untaint", id="the taint is removed"),
        pytest.param("unpublish", id="the slice is deleted"),
    ],
)
def test_a_pod_stays_when_the_taint_ends_in_time(tainting: Any, end: str) -> None:
    """The taint goes while the claim still tolerates it: the Pod stays for good."""
    tainting.use(FOR_A_WHILE)
    tainting.taint()
    tainting.stays(for_="taint-noticed")

    getattr(tainting, end)()

    tainting.stays()


@pytest.mark.requirement("DRA-TNT-15")
def test_a_pod_stays_when_the_rule_ends_in_time(tainting: Any) -> None:
    """The same of a DeviceTaintRule, whose status told that the Pod would have to leave."""
    tainting.use(FOR_A_WHILE)
    rule = tainting.rule()
    tainting.stays(for_="taint-noticed")

    tainting.world.withdraw(rule)

    tainting.stays()
