"""Calls at one time really are under way together."""

from __future__ import annotations

import functools
import threading

import pytest

from conformance.harness.bench.together import together


def test_every_call_is_under_way_before_any_ends() -> None:
    barrier = threading.Barrier(4, timeout=10)

    def call(number: int) -> int:
        barrier.wait()
        return number

    assert together(functools.partial(call, one) for one in range(4)) == [0, 1, 2, 3]


def test_what_one_call_raises_is_raised() -> None:
    def fail() -> int:
        raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"):
        together([fail, lambda: 1])
