"""Rounds in which independent faults are committed several at a time.

Each fault is committed in the rounds of its code, and all codes hold the same number of
rounds, so that no fault's rounds are among another's. When in every round exactly what the
faults of that round name has failed, each requirement has failed with its own fault and
never without it: by some other fault it would have failed in other rounds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence


def rounds(names: Sequence[str]) -> list[list[str]]:
    """Return the rounds, each with the names of its faults: about log2 of their number."""
    count = next(n for n in itertools.count(1) if math.comb(n, n // 2) >= len(names))
    codes = itertools.combinations(range(count), max(count // 2, 1))
    coded: Mapping[str, tuple[int, ...]] = dict(zip(names, codes, strict=False))
    return [[name for name in names if number in coded[name]] for number in range(count)]
