"""How the reference grows with the number of nodes: eight devices and eight Pods on each."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from conformance.tests.bench.scale import sides
from conformance.tests.bench.scale.scenario import DEVICES, Outcome, burst
from conformance.tests.bench.table import NotMeasuredError, aligned, seconds

#: Nodes, and the most Pods that are created for them: a thousand say how an attempt grows.
STEPS = (10, 100, 1000, 5000)
_MOST_PODS = 1000

_HEADER = (
    *("nodes", "devices", "Pods", "Pods/s", "p50", "RSS", "CPU/Pod"),
    *("x nodes", "x RSS", "x CPU"),
)


def growth(_rounds: int) -> Iterator[str]:
    """Yield the lines of the table; every size runs once."""
    rows: list[tuple[str, ...]] = []
    first: tuple[int, Outcome] | None = None
    for nodes in STEPS:
        pods = min(nodes * DEVICES, _MOST_PODS)
        sizes = (str(nodes), str(nodes * DEVICES), str(pods))
        try:
            with sides.reference() as side:
                found = burst(side, nodes, pods)
        except NotMeasuredError as error:
            rows.append((*sizes, f"not run: {error}", *[""] * (len(_HEADER) - len(sizes) - 1)))
            continue
        first = first or (nodes, found)
        print(f"measured: {nodes} nodes", file=sys.stderr)
        rows.append(
            (
                *sizes,
                f"{found.throughput:.1f}",
                seconds(found.median),
                f"{found.memory:.0f} MiB",
                f"{found.processor_milliseconds:.1f} ms",
                *ratios(first, (nodes, found)),
            )
        )
    yield from aligned([_HEADER, *rows])
    yield "x: that row over the first one; growth is at most linear where no x exceeds x nodes."


def ratios(first: tuple[int, Outcome], other: tuple[int, Outcome]) -> tuple[str, str, str]:
    """Return how much larger a size is, and how much more memory and work a Pod it takes."""
    nodes = other[0] / first[0]
    memory = other[1].memory / first[1].memory
    work = other[1].processor_milliseconds / first[1].processor_milliseconds
    return (f"{nodes:.0f}", f"{memory:.1f}", f"{work:.1f}")
