"""The table says what was measured, what was not, and why."""

from __future__ import annotations

import sys

import pytest

from conformance.tests.bench import processes
from conformance.tests.bench.table import NotMeasuredError, Row, Sample, render, rounds, seconds


def test_a_row_shows_its_least_value_and_both_ratios() -> None:
    samples = (Sample(wall=0.4, cpu=0.3), Sample(wall=0.25, cpu=0.2), Sample(wall=0.6))
    shown = render([Row(what="start", samples=samples, goal=0.5)], loop=0.1).splitlines()[1]
    expected = ["start", "3", "250", "ms", "400", "ms", "200", "ms", "500", "ms", "0.50", "2.5"]
    assert shown.split() == expected


def test_a_row_without_a_goal_has_no_ratio_to_it() -> None:
    shown = render([Row(what="get", samples=(Sample(wall=0.002),))], loop=0.1).splitlines()[1]
    assert shown.split() == ["get", "1", "2", "ms", "2", "ms", "0.02"]


def test_what_can_not_be_measured_says_why() -> None:
    def measure() -> Sample:
        raise NotMeasuredError("the driver is not built")

    row = rounds("certify", 3, measure, goal=15.0)
    assert "certify: not run, the driver is not built" in render([row], loop=0.1)


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0000215, "22 us"), (0.0456, "45.6 ms"), (12.345, "12.3 s")]
)
def test_durations_have_a_unit(value: float, shown: str) -> None:
    assert seconds(value) == shown


def test_a_process_that_fails_is_not_measured() -> None:
    with pytest.raises(NotMeasuredError, match="exit code 3: gone"):
        processes.whole(
            [sys.executable, "-c", "import sys; print('gone', file=sys.stderr); sys.exit(3)"]
        )


def test_a_process_takes_time_on_the_wall_and_of_the_processor() -> None:
    sample = processes.whole([sys.executable, "-c", "sum(range(10000))"])
    assert sample.wall > 0
    assert sample.cpu is not None
    assert sample.cpu > 0
