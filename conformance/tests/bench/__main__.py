"""``python -m conformance.tests.bench``: measure, and print one table."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from conformance.tests.bench import cluster, processes, program, table

_PARTS: dict[str, Callable[[int], Iterator[table.Row]]] = {
    "start": program.starting,
    "cluster": cluster.answering,
    "suite": program.judging,
    "certify": program.certifying,
}

_LOOPS, _TURNS = 5, 1_000_000


def calibrate() -> float:
    """Return the seconds of a fixed loop: what this machine, loaded as it is, does."""
    best = float("inf")
    for _ in range(_LOOPS):
        start = time.perf_counter()
        for number in range(_TURNS):
            number + 1
        best = min(best, time.perf_counter() - start)
    return best


def main() -> int:
    """Measure what was asked for; the table goes to standard output."""
    parser = argparse.ArgumentParser(prog="python -m conformance.tests.bench")
    parser.add_argument("--rounds", type=int, default=3, help="of each row (default: 3)")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(_PARTS)}")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error(f"--rounds: expected at least 1, found {asked.rounds}")
    for part in asked.parts:
        if part not in _PARTS:
            parser.error(f"no part is called {part!r}: {', '.join(_PARTS)}")
    before, rows = calibrate(), []
    print(f"before: {processes.load()}", file=sys.stderr)
    for part in asked.parts or _PARTS:
        for row in _PARTS[part](asked.rounds):
            print(f"measured: {row.what}", file=sys.stderr)
            rows.append(row)
    loop = min(before, calibrate())
    print(table.render(rows, loop))
    print(f"loop: {table.seconds(loop)}; {processes.load()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
