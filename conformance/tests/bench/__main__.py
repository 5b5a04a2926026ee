"""``python -m conformance.tests.bench``: measure, and print tables."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from conformance.tests.bench import cluster, policies, processes, program, table
from conformance.tests.bench.scale.compare import compare
from conformance.tests.bench.scale.growth import growth
from conformance.upstream import build

_PARTS: dict[str, Callable[[int], Iterator[table.Row]]] = {
    "start": program.starting,
    "cluster": cluster.answering,
    "suite": program.judging,
    "certify": program.certifying,
    "lint": policies.linting,
}

#: Tables of their own: many minutes, so they run only where they are asked for, or where a
#: real Kubernetes is built to compare with.
_TABLES: dict[str, Callable[[int], Iterator[str]]] = {"compare": compare, "growth": growth}

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
    known = (*_PARTS, *_TABLES)
    parser = argparse.ArgumentParser(prog="python -m conformance.tests.bench")
    parser.add_argument("--rounds", type=int, default=3, help="of each row (default: 3)")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(known)}")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error(f"--rounds: expected at least 1, found {asked.rounds}")
    for part in asked.parts:
        if part not in known:
            parser.error(f"no part is called {part!r}: {', '.join(known)}")
    before, rows = calibrate(), []
    print(f"before: {processes.load()}", file=sys.stderr)
    parts = asked.parts or _usual()
    for part in filter(_PARTS.get, parts):
        for row in _PARTS[part](asked.rounds):
            print(f"measured: {row.what}", file=sys.stderr)
            rows.append(row)
    loop = min(before, calibrate())
    if rows:
        print(table.render(rows, loop), flush=True)
    for part in filter(_TABLES.get, parts):
        for line in _TABLES[part](asked.rounds):
            print(line, flush=True)
    print(f"loop: {table.seconds(loop)}; {processes.load()}")
    return 0


def _usual() -> list[str]:
    built = not build.missing(build.needed(kubelet=False))
    return [*_PARTS, *(_TABLES if built else ())]


if __name__ == "__main__":
    sys.exit(main())
