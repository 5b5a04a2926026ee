"""What was measured, and the table that shows it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence

import attrs

_HEADER = ("what", "rounds", "min", "median", "cpu", "goal", "min/goal", "min/loop")


@attrs.frozen(kw_only=True)
class Sample:
    """One round: seconds on the wall, and of processor time where that was measured."""

    wall: float
    cpu: float | None = None


@attrs.frozen(kw_only=True)
class Row:
    """One thing that was measured; ``reason`` says why where there are no samples.

    ``goal`` is in seconds, and None where nobody set one.
    """

    what: str
    samples: tuple[Sample, ...] = ()
    goal: float | None = None
    reason: str = ""

    @property
    def best(self) -> float:
        """Return the least wall time: what the machine did when it was disturbed least."""
        return min(sample.wall for sample in self.samples)


def rounds(what: str, count: int, measure: Callable[[], Sample], goal: float | None = None) -> Row:
    """Measure so many times; what can't be measured becomes a row that says why."""
    try:
        return Row(what=what, samples=tuple(measure() for _ in range(count)), goal=goal)
    except NotMeasuredError as error:
        return Row(what=what, goal=goal, reason=str(error))


class NotMeasuredError(Exception):
    """Something could not be measured; one sentence says why."""


def render(rows: Iterable[Row], loop: float) -> str:
    """Return the table as text; ``loop`` is what the fixed loop took, in seconds."""
    return "\n".join(aligned([_HEADER, *(_cells(row, loop) for row in rows)]))


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines of text: the first column left, all others right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [_line(line, widths) for line in lines]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = [
        cell.rjust(width) if position else cell.ljust(width)
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join((first, *rest)).rstrip()


def _cells(row: Row, loop: float) -> tuple[str, ...]:
    goal = "" if row.goal is None else seconds(row.goal)
    if not row.samples:
        return (f"{row.what}: not run, {row.reason}", "", "", "", "", goal, "", "")
    cpu = [sample.cpu for sample in row.samples if sample.cpu is not None]
    return (
        row.what,
        str(len(row.samples)),
        seconds(row.best),
        seconds(statistics.median(sample.wall for sample in row.samples)),
        seconds(min(cpu)) if cpu else "",
        goal,
        f"{row.best / row.goal:.2f}" if row.goal else "",
        f"{row.best / loop:.3g}",
    )


def seconds(value: float) -> str:
    """Return a duration with its unit, in three digits."""
    if value < 0.001:
        return f"{value * 1e6:.0f} us"
    if value < 1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} s"
