"""What is decided for a PodGroup as a whole: its minimum, its claims, what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.scheduler.grouping import condition, given_up, min_count
from conformance.reference.scheduler.waking import wakes
from conformance.reference.scheduler.writes import is_allocated_so

GROUP: dict[str, Any] = {"metadata": {"name": "group", "uid": "g"}, "spec": {}, "status": {}}
NOW, LATER = "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"


def claim(*holders: str, allocated: bool = True) -> dict[str, Any]:
    """Return a claim that these hold."""
    rows = [{"resource": "pods", "name": uid, "uid": uid} for uid in holders]
    allocation = {"allocation": {"devices": {}}} if allocated else {}
    status = {"reservedFor": rows, "devices": [{"device": "d"}], **allocation}
    return {"metadata": {"name": "claim", "uid": "c"}, "status": status}


def member(name: str, group: str, node: str = "") -> dict[str, Any]:
    """Return a Pod of a group."""
    spec = {"schedulingGroup": {"podGroupName": group}, **({"nodeName": node} if node else {})}
    return {"metadata": {"name": name, "namespace": "ns", "uid": name}, "spec": spec}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [({"gang": {"minCount": 3}}, 3), ({"basic": {}}, 1)],
    ids=["a gang", "no gang"],
)
def test_how_many_pods_must_go_at_once(policy: dict[str, Any], expected: int) -> None:
    assert min_count({**GROUP, "spec": {"schedulingPolicy": policy}}, 2) == expected


@pytest.mark.parametrize("holders", [(), ("g",)], ids=["nobody's", "the group's"])
def test_a_claim_out_of_reach_is_deallocated(holders: tuple[str, ...]) -> None:
    found = given_up(GROUP, 0, [claim("g", "other"), claim(*holders)], [])

    assert found is not None
    assert found["status"] == {}


def test_a_group_withdraws_from_its_claims_one_by_one() -> None:
    rows = [claim("other"), claim("g", allocated=False), claim("other", "g"), claim("g")]

    found = given_up(GROUP, 0, [], rows)

    assert found is not None
    assert [one["uid"] for one in found["status"]["reservedFor"]] == ["other"]
    assert found["status"]["allocation"] == {"devices": {}}


def test_nothing_is_given_up_while_a_pod_of_the_group_has_a_node() -> None:
    assert given_up(GROUP, 1, [claim("g")], [claim("g")]) is None


def test_what_is_said_first_of_a_group() -> None:
    assert condition(GROUP, "Unschedulable", "too few", NOW) == {
        "type": "PodGroupInitiallyScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "too few",
        "lastTransitionTime": NOW,
    }


@pytest.mark.parametrize(
    ("old", "new", "since"),
    [
        (("Unschedulable", "too few"), ("Unschedulable", "too few"), None),
        (("Unschedulable", "too few"), ("Unschedulable", "fewer"), NOW),
        (("Unschedulable", "too few"), ("Scheduled", ""), LATER),
        (("Scheduled", ""), ("Unschedulable", "too few"), None),
    ],
    ids=["nothing new", "another message", "scheduled at last", "never taken back"],
)
def test_what_is_said_next_of_a_group(
    old: tuple[str, str], new: tuple[str, str], since: str | None
) -> None:
    said = condition(GROUP, *old, NOW)
    found = condition({**GROUP, "status": {"conditions": [said]}}, *new, LATER)

    assert (found and found["lastTransitionTime"]) == since


def test_an_allocation_is_the_same_whenever_it_was_written() -> None:
    wanted = {"devices": {"results": [{"device": "d"}]}}
    stored = {**wanted, "allocationTimestamp": NOW}

    assert is_allocated_so({"status": {"allocation": stored}}, wanted)
    assert not is_allocated_so({"status": {"allocation": {"devices": {}}}}, wanted)
    assert not is_allocated_so({"status": {}}, wanted)
    assert not is_allocated_so({"status": {"allocation": stored}}, None)


@pytest.mark.parametrize(
    ("other", "old", "expected"),
    [
        (member("other", "group", "node"), None, True),
        (member("other", "group", "node"), member("other", "group"), True),
        (member("other", "group", "node"), member("other", "group", "node"), False),
        (member("other", "group"), None, False),
        (member("other", "another", "node"), None, False),
    ],
    ids=["came with a node", "got a node", "had it before", "has none", "of another group"],
)
def test_a_pod_that_gets_a_node_wakes_its_group(
    other: dict[str, Any], old: dict[str, Any] | None, expected: bool
) -> None:
    assert wakes(member("pod", "group"), "pods", "MODIFIED", other, old) is expected


def test_a_group_that_asks_for_something_else_wakes_pods_and_its_status_does_not() -> None:
    pod, new = member("pod", "group"), {**GROUP, "spec": {"schedulingPolicy": {"basic": {}}}}

    assert wakes(pod, "podgroups", "ADDED", GROUP, None)
    assert wakes(pod, "podgroups", "MODIFIED", new, GROUP)
    assert not wakes(pod, "podgroups", "MODIFIED", {**GROUP, "status": {"conditions": []}}, GROUP)
