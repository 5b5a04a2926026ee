"""Who is evicted for a Pod, and where: as few Pods, and as unimportant ones, as possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.reference.scheduler.cache.nominated import Nominated
from conformance.reference.scheduler.preempting.preemptor import waiting_order
from conformance.reference.scheduler.preempting.victims import choose, may_evict


def pod(name: str, priority: int = 0, cpus: int = 1, **more: Any) -> dict[str, Any]:
    metadata = {"name": name, "uid": name, "creationTimestamp": more.pop("since", "2026-01-01")}
    spec = {"priority": priority, "cpus": cpus, **more.pop("spec", {})}
    return {"metadata": {**metadata, **more}, "spec": spec, "status": {}}


def node(name: str) -> dict[str, Any]:
    return {"metadata": {"name": name}}


def room_for(cpus: int) -> Any:
    """Return what says whether a Pod with so many CPUs fits on a node that has eight."""

    def fits(_: object, staying: Sequence[dict[str, Any]]) -> bool:
        return sum(one["spec"]["cpus"] for one in staying) + cpus <= 8

    return fits


def evicted(found: Any) -> list[str]:
    return [one["metadata"]["name"] for one in found.victims]


def test_only_as_many_go_as_must() -> None:
    present = [pod("a", cpus=4), pod("b", cpus=2), pod("c", cpus=2)]

    found = choose(pod("new", 5), [(node("n"), present)], room_for(2))

    assert found is not None
    assert evicted(found) == ["c"]


def test_the_more_important_stay() -> None:
    present = [pod("low", 1, cpus=4), pod("middle", 2, cpus=4)]

    found = choose(pod("new", 5), [(node("n"), present)], room_for(4))

    assert found is not None
    assert evicted(found) == ["low"]


def test_of_equals_who_started_first_stays() -> None:
    present = [pod("young", since="2026-02-01", cpus=4), pod("old", since="2026-01-01", cpus=4)]

    found = choose(pod("new", 5), [(node("n"), present)], room_for(4))

    assert found is not None
    assert evicted(found) == ["young"]


def test_who_is_as_important_is_never_evicted() -> None:
    present = [pod("equal", 5, cpus=8)]

    assert choose(pod("new", 5), [(node("n"), present)], room_for(4)) is None


def test_nobody_goes_where_that_is_no_use() -> None:
    present = [pod("equal", 5, cpus=6), pod("low", cpus=2)]

    assert choose(pod("new", 5), [(node("n"), present)], room_for(4)) is None


@pytest.mark.parametrize(
    ("here", "there", "chosen"),
    [
        pytest.param([pod("a", 3, 8)], [pod("b", 2, 8)], "there", id="the lowest priority"),
        pytest.param(
            [pod("a", 2, 4), pod("b", 1, 4)], [pod("c", 2, 8)], "there", id="then the lowest sum"
        ),
        pytest.param([pod("a", 2, 8)], [pod("b", 2, 8)], "here", id="then the first name"),
    ],
)
def test_the_node_with_the_least_loss_is_chosen(here: Any, there: Any, chosen: str) -> None:
    rows = [(node("there"), there), (node("here"), here)]

    found = choose(pod("new", 5), rows, room_for(8))

    assert found is not None
    assert found.node == chosen


def test_who_is_never_to_preempt_does_not() -> None:
    assert may_evict(pod("new", 5), [])
    assert not may_evict(pod("new", 5, spec={"preemptionPolicy": "Never"}), [])


@pytest.mark.parametrize(
    ("reason", "verdict"), [("PreemptionByScheduler", False), ("EvictionByEvictionAPI", True)]
)
def test_nobody_is_evicted_while_another_ends_for_the_pod(reason: str, verdict: bool) -> None:
    ending = pod("ending", deletionTimestamp="2026-01-01")
    ending["status"]["conditions"] = [{"type": "DisruptionTarget", "reason": reason}]

    assert may_evict(pod("new", 5), [ending]) is verdict


def test_the_most_important_is_tried_first_and_of_equals_the_first() -> None:
    pods = [pod("a", 1), pod("b", 5), pod("c", 1), pod("d", 5)]

    assert [one["metadata"]["name"] for one in waiting_order(pods)] == ["b", "d", "a", "c"]


def test_a_nomination_counts_for_those_who_are_not_more_important() -> None:
    nominated = Nominated()
    nominated.put(pod("nominated", 5), "n")

    assert [one["metadata"]["name"] for one in nominated.beside(pod("equal", 5), "n")] == [
        "nominated"
    ]
    assert nominated.beside(pod("higher", 6), "n") == []
    assert nominated.beside(pod("nominated", 5), "n") == []
    assert len(nominated.below(pod("higher", 6), "n")) == 1


def test_a_pod_has_one_nominated_node() -> None:
    nominated = Nominated()
    one = pod("one", 5)
    nominated.put(one, "first")
    nominated.put(one, "second")

    assert nominated.node_of(one) == "second"
    assert nominated.beside(pod("two"), "first") == []
    nominated.drop(one)
    assert nominated.node_of(one) is None
