"""What is made of the requests of a driver that meets trouble."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest

from conformance.harness.bench import trouble
from conformance.harness.errors import Undecided, Violation


@attrs.frozen
class Asked:
    at: float
    verb: str
    code: int


@attrs.frozen
class Met:
    asked: tuple[Asked, ...]

    def requests(self) -> Sequence[Asked]:
        return self.asked

    def cut_watches(self) -> None:
        pass


def test_the_pause_is_that_between_a_refusal_and_the_next_write() -> None:
    met = Met(
        (
            Asked(0.0, "create", 429),
            Asked(1.0, "watch", 200),
            Asked(3.5, "create", 201),
            Asked(9.0, "update", 200),
        )
    )

    assert trouble.pause(met) == 3.5


@pytest.mark.parametrize("codes", [(), (429,), (201, 200)])
def test_without_a_refusal_and_a_write_after_it_nothing_is_judged(codes: tuple[int, ...]) -> None:
    met = Met(tuple(Asked(float(at), "create", code) for at, code in enumerate(codes)))

    with pytest.raises(Undecided, match="not judged"):
        trouble.pause(met)


def test_a_driver_that_writes_nothing_is_not_judged() -> None:
    with pytest.raises(Undecided, match="wrote no ResourceSlice"):
        trouble.written(Met((Asked(0.0, "list", 200),)))


def test_many_writes_are_a_storm() -> None:
    trouble.few([500] * trouble.FEW)

    with pytest.raises(Violation, match="at most"):
        trouble.few([500] * (trouble.FEW + 1))
