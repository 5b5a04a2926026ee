"""One thing that is wrong accuses one requirement, and is waited for once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.errors import Undecided, Violation
from conformance.harness.subject.steps import Steps


class Subject:
    """A driver of which only this is asked; its clock can be moved so often, if at all."""

    def __init__(self, why: str = "", moves: int = 0) -> None:
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()
        self.seconds = 0
        self._why = why
        self._moves = moves

    def hurry(self, seconds: int) -> bool:
        if self.seconds == self._moves:
            return False
        self.seconds += seconds
        return True

    def ended(self) -> str:
        return self._why


class World:
    """A world in which nobody waits, but a bound is 5 s."""

    def __init__(self) -> None:
        self.hurried = 0
        self.waited = self.elapsed = 0.0
        self.options = SimpleNamespace(bounds=SimpleNamespace(seconds={"bound": 5}))
        self.cluster = SimpleNamespace(time=SimpleNamespace(pass_=lambda _seconds: None))
        self.patience = SimpleNamespace(elapse=self._elapse)

    def _elapse(self, seconds: float) -> None:
        self.elapsed += seconds

    def until(self, what: str, probe: Any, *, bound: str) -> Any:
        self.waited += self.options.bounds.seconds.get(bound, 0)
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


def after(subject: Subject, seconds: int) -> str:
    if subject.seconds < seconds:
        raise Violation("a slice", observed="none yet")
    return "a slice"


@pytest.mark.parametrize(
    ("comes_after", "moves", "hurried", "waited"),
    [
        pytest.param(0, 9, 0, 0, id="it is there"),
        pytest.param(3, 9, 3, 0, id="it comes by the clock of the driver"),
        pytest.param(5, 9, 5, 0, id="it comes at last"),
    ],
)
def test_a_driver_whose_clock_goes_ahead_is_not_waited_for(
    comes_after: int, moves: int, hurried: int, waited: int
) -> None:
    subject, world = Subject(moves=moves), World()
    taken = Steps(cast("Any", world), cast("Any", subject))

    found = taken.in_its_time("it comes", lambda: after(subject, comes_after), bound="bound")

    assert found == "a slice"
    assert (world.hurried, world.waited) == (hurried, waited)


@pytest.mark.parametrize(
    "moves", [pytest.param(0, id="its clock can't be moved"), pytest.param(9, id="in vain")]
)
def test_no_driver_is_accused_by_another_clock_than_its_own(moves: int) -> None:
    subject, world = Subject(moves=moves), World()
    taken = Steps(cast("Any", world), cast("Any", subject))

    with pytest.raises(Violation, match="none yet"):
        taken.in_its_time("it comes", lambda: after(subject, 6), bound="bound")

    assert world.waited == 5


def test_nothing_is_awaited_of_a_driver_that_has_ended() -> None:
    subject, world = Subject(why="it exited", moves=9), World()
    taken = Steps(cast("Any", world), cast("Any", subject))

    with pytest.raises(Violation, match="it exited"):
        taken.in_its_time("it comes", lambda: after(subject, 3), bound="bound")

    assert subject.seconds == 0


@pytest.mark.parametrize(
    ("moves", "hurried", "elapsed"),
    [
        pytest.param(0, 0, 4.5, id="on the machine's clock"),
        pytest.param(9, 5, 0, id="on its own"),
        pytest.param(2, 2, 2.5, id="on both"),
    ],
)
def test_time_passes_for_the_driver(moves: int, hurried: int, elapsed: float) -> None:
    subject, world = Subject(moves=moves), World()

    Steps(cast("Any", world), cast("Any", subject)).elapse(4.5)

    assert (subject.seconds, world.elapsed) == (hurried, elapsed)
