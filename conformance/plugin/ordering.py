"""The order of the checks: shuffled by the seed, so that no check leans on another."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def shuffled(items: Sequence[Item], belongs: Callable[[Item], bool], seed: int) -> list[Item]:
    """Return the items with those that belong to us shuffled among their own places.

    The same items and the same seed give the same order in every process.
    """
    ours = [item for item in items if belongs(item)]
    random.Random(seed).shuffle(ours)  # noqa: S311 - reproducibility is the purpose
    places = iter(ours)
    return [next(places) if belongs(item) else item for item in items]
