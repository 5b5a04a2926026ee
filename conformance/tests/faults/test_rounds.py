"""Rounds of independent faults tell each of them from all others."""

from __future__ import annotations

import itertools

import pytest

from conformance.tests.faults.rounds import rounds


@pytest.mark.parametrize("count", [1, 2, 3, 7, 36, 100])
def test_no_fault_is_committed_wherever_another_one_is(count: int) -> None:
    names = [str(number) for number in range(count)]

    found = rounds(names)

    codes = [{number for number, round_ in enumerate(found) if name in round_} for name in names]
    assert all(codes)
    assert not any(one <= other for one, other in itertools.permutations(codes, 2))


def test_rounds_are_few() -> None:
    assert len(rounds([str(number) for number in range(100)])) == 9
