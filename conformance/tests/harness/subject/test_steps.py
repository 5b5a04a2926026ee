"""One thing that is wrong accuses one requirement, and is waited for once."""

from __future__ import annotations

from typing import Any, cast

import pytest

from conformance.harness.errors import Undecided, Violation
from conformance.harness.subject.steps import Steps


class Subject:
    """A driver of which only this is asked."""

    def __init__(self, why: str = "") -> None:
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        self._why = why

    def ended(self) -> str:
        return self._why


class World:
    """A world in which nobody waits."""

    def until(self, what: str, probe: Any, *, bound: str) -> Any:
        return probe()


def steps(subject: Subject) -> Steps:
    return Steps(cast("Any", World()), cast("Any", subject))


def fail() -> None:
    raise Violation("devices", observed="none")


def test_who_judges_a_step_is_told_and_who_stands_on_it_is_not() -> None:
    taken = steps(Subject())

    with pytest.raises(Violation, match="observed none"):
        taken.take("published", fail)
    with pytest.raises(Undecided, match="since the driver publishes no devices"):
        taken.after("published", lambda: taken.take("published", fail))


def test_what_failed_once_is_not_tried_again() -> None:
    taken = steps(Subject())
    with pytest.raises(Violation) as first:
        taken.take("published", fail)

    with pytest.raises(Violation) as second:
        taken.take("published", lambda: None)

    assert second.value is first.value
    with pytest.raises(Undecided):
        taken.stand_on("published")


def test_what_was_reached_is_remembered() -> None:
    subject = Subject()

    steps(subject).take("published", lambda: None)

    assert subject.reached == {"published"}


def test_nobody_waits_for_a_driver_that_has_ended() -> None:
    taken = steps(Subject("the driver exited with code 3"))

    with pytest.raises(Violation, match="observed the driver exited with code 3"):
        taken.until("it registers", fail, bound="plugin-registered")


def test_what_comes_late_is_only_said() -> None:
    taken = steps(Subject())

    assert not taken.soon("it runs", fail)
    assert taken.soon("it runs", lambda: True)
