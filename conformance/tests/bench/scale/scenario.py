"""What is done to each side: a burst of Pods, and the scenario of the Kubernetes documentation."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Sequence

import attrs

from conformance.tests.bench.scale import workload
from conformance.tests.bench.scale.sides import Side
from conformance.tests.bench.scale.workload import Pods

#: "Working with DRA", tuning of control plane components: 100 nodes, 720 long-running Pods (90 %
#: full, so 8 devices a node), 80 short ones ten times over, created at 10 per second.
NODES, DEVICES, LASTING, CHURNING, TURNS, RATE = 100, 8, 720, 80, 10, 10.0


@attrs.frozen(kw_only=True)
class Outcome:
    """What one side did: Pods per second, seconds from creation to binding, MiB, CPU ms a Pod."""

    throughput: float
    latencies: tuple[float, ...]
    memory: float
    processor_milliseconds: float

    @property
    def median(self) -> float:
        """Return the latency that half of the Pods kept below."""
        return statistics.median(self.latencies)

    @property
    def slowest(self) -> float:
        """Return the latency that 99 of 100 Pods kept below."""
        return sorted(self.latencies)[int(len(self.latencies) * 0.99)]


def burst(side: Side, nodes: int = NODES, pods: int = LASTING) -> Outcome:
    """Create Pods by many threads as fast as they can, and wait until all have a node."""
    workload.furnish(side.server, nodes, DEVICES)
    driven = Pods(side.server)
    names = [f"burst-{number}" for number in range(pods)]
    before = side.processor_seconds()
    workload.in_parallel(lambda number: driven.create(names[number]), range(pods))
    latencies = driven.await_bound(names)
    return Outcome(
        throughput=pods / driven.span(names),
        latencies=tuple(latencies),
        memory=side.memory(),
        processor_milliseconds=1000 * (side.processor_seconds() - before) / pods,
    )


def documented(side: Side) -> Outcome:
    """Fill the cluster to 90 % and let short Pods come and go, all at a steady pace.

    A short Pod succeeds as soon as it was bound, and is deleted; the next turn begins when the
    last one of this turn is gone.
    """
    workload.furnish(side.server, NODES, DEVICES)
    driven = Pods(side.server)
    lasting = [f"lasting-{number}" for number in range(LASTING)]
    before, start = side.processor_seconds(), time.perf_counter()
    _create_at_rate(driven, lasting)
    latencies = driven.await_bound(lasting)
    for turn in range(TURNS):
        short = [f"short-{turn}-{number}" for number in range(CHURNING)]
        finishing = threading.Thread(target=_finish, args=(driven, short), daemon=True)
        finishing.start()
        _create_at_rate(driven, short)
        latencies += driven.await_bound(short)
        driven.await_gone(short)
        finishing.join()
    used, pods = side.processor_seconds() - before, len(latencies)
    return Outcome(
        throughput=pods / (time.perf_counter() - start),
        latencies=tuple(latencies),
        memory=side.memory(),
        processor_milliseconds=1000 * used / pods,
    )


def _create_at_rate(driven: Pods, names: Sequence[str]) -> None:
    start = time.perf_counter()
    for number, name in enumerate(names):
        time.sleep(max(0.0, start + number / RATE - time.perf_counter()))
        driven.create(name)


def _finish(driven: Pods, names: Sequence[str]) -> None:
    for name in names:
        driven.await_bound([name])
        driven.finish(name)
