"""Binding conditions: who uses them, which are whole, and when their times are wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.errors import Unsupported, Violation
from conformance.harness.observe import binding
from conformance.harness.observe.binding import Diary
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life, Use

RESULT = {"driver": "d", "pool": "p", "device": "gpu", "bindingConditions": ["Ready"]}


def published(**fields: Any) -> inventory.Inventory:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    return inventory.of([{"spec": {"pool": pool, "devices": [{"name": "gpu", **fields}]}}])


def test_a_driver_that_publishes_none_of_the_fields_is_not_judged() -> None:
    with pytest.raises(Unsupported, match="publishes binding conditions"):
        binding.using(published())


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        pytest.param({"bindsToNode": True}, ["gpu"], id="a node alone"),
        pytest.param({"bindingConditions": ["A"]}, ["gpu"], id="no failure"),
        pytest.param(
            {"bindingConditions": ["A"], "bindingFailureConditions": ["B"]}, [], id="both"
        ),
    ],
)
def test_both_lists_belong_together(fields: dict[str, Any], names: list[str]) -> None:
    assert binding.incomplete(binding.using(published(**fields))) == names


def condition(status: str, time: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "Ready",
        "status": status,
        "reason": "Attached",
        "message": "",
        "lastTransitionTime": time,
        **fields,
    }


def test_only_a_message_may_be_empty() -> None:
    binding.whole([condition("True", "t1")])

    for part in ("type", "reason", "lastTransitionTime"):
        with pytest.raises(Violation, match=part):
            binding.whole([condition("True", "t1", **{part: ""})])
    with pytest.raises(Violation, match="True, False, Unknown"):
        binding.whole([condition("Yes", "t1")])


class Scene:
    """Looks at a claim whose only condition is as told, at the second that is told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.shown = condition("False", "t0")
        time = SimpleNamespace(now=lambda: self.now)
        claims = SimpleNamespace(get=lambda _name: self.claim())
        world = SimpleNamespace(cluster=SimpleNamespace(time=time), claims=claims)
        life = cast("Life", SimpleNamespace(world=world))
        self.diary = Diary(life=life, use=Use())

    def claim(self) -> dict[str, Any]:
        row = {"driver": "d", "pool": "p", "device": "gpu", "conditions": [self.shown]}
        return {
            "status": {"allocation": {"devices": {"results": [RESULT]}}, "devices": [row]},
        }

    def look(self, now: float, status: str, time: str) -> bool:
        self.now, self.shown = now, condition(status, time)
        return self.diary.look()


def test_a_time_that_moves_with_the_status_is_right() -> None:
    scene = Scene()

    looks = [
        scene.look(0, "False", "t0"),
        scene.look(3, "False", "t0"),
        scene.look(5, "True", "t5"),
    ]

    assert looks == [False, False, True]
    assert scene.diary.is_right()


def test_a_time_that_moves_alone_is_wrong() -> None:
    scene = Scene()
    scene.look(0, "True", "t0")

    scene.look(9, "True", "t9")

    with pytest.raises(Violation, match="Ready True since t0, then True since t9"):
        scene.diary.is_right()


def test_a_time_that_stays_behind_is_wrong_once_seconds_have_passed() -> None:
    scene = Scene()
    scene.look(0, "False", "t0")
    scene.look(3, "False", "t0")

    assert scene.look(5, "True", "t0")
    with pytest.raises(Violation, match="Ready False since t0, then True since t0"):
        scene.diary.is_right()


def test_two_changes_in_one_second_may_have_one_time() -> None:
    scene = Scene()
    scene.look(0, "False", "t0")

    scene.look(0.5, "True", "t0")

    assert scene.diary.is_right()
