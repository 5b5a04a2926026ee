"""How the reference grows with the number of nodes: eight devices and eight Pods on each."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from conformance.tests.bench.scale import sides
from conformance.tests.bench.scale.scenario import DEVICES, burst
from conformance.tests.bench.table import NotMeasuredError, aligned, seconds

#: Nodes, and the most Pods that are created for them: a thousand say how an attempt grows.
STEPS = (10, 100, 1000, 5000)
_MOST_PODS = 1000

_HEADER = ("nodes", "devices", "Pods", "Pods/s", "p50", "RSS", "CPU/Pod")


def growth(_rounds: int) -> Iterator[str]:
    """Yield the lines of the table; every size runs once."""
    rows: list[tuple[str, ...]] = []
    for nodes in STEPS:
        pods = min(nodes * DEVICES, _MOST_PODS)
        sizes = (str(nodes), str(nodes * DEVICES), str(pods))
        try:
            with sides.reference() as side:
                found = burst(side, nodes, pods)
        except NotMeasuredError as error:
            rows.append((*sizes, f"not run: {error}", "", "", ""))
            continue
        print(f"measured: {nodes} nodes", file=sys.stderr)
        rows.append(
            (
                *sizes,
                f"{found.throughput:.1f}",
                seconds(found.median),
                f"{found.memory:.0f} MiB",
                f"{found.processor_milliseconds:.1f} ms",
            )
        )
    yield from aligned([_HEADER, *rows])
