"""What the driver of the comparison sends, counts and says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.tests.bench.scale import compare, growth, sides
from conformance.tests.bench.scale.compare import Round
from conformance.tests.bench.scale.scenario import Outcome, burst
from conformance.tests.bench.scale.server import Server
from conformance.tests.bench.scale.workload import Pods
from conformance.tests.bench.table import NotMeasuredError, aligned


def outcome(throughput: float, memory: float, processor: float) -> Outcome:
    return Outcome(
        throughput=throughput,
        latencies=tuple(number / 100 for number in range(1, 101)),
        memory=memory,
        processor_milliseconds=processor,
    )


def test_percentiles_are_those_of_the_pods() -> None:
    found = outcome(1.0, 1.0, 1.0)

    assert (found.median, found.slowest) == (0.505, 1.0)


def test_ratios_are_ours_over_theirs() -> None:
    ours = [Round(ready=0.5, outcome=outcome(100.0, 120.0, 5.0))]
    theirs = [Round(ready=4.0, outcome=outcome(50.0, 1200.0, 20.0))]

    rows = list(compare.rows_of("burst", {"reference": ours, "real": theirs}))

    assert rows[0][-3:] == ("", "", "")
    assert rows[1][-3:] == ("2.00", "0.10", "0.25")
    assert aligned([compare.HEADER, *rows])[2].split()[:2] == ["burst", "real"]


def test_growth_is_told_in_ratios_to_the_smallest_size() -> None:
    small, large = outcome(50.0, 100.0, 5.0), outcome(20.0, 800.0, 60.0)

    assert growth.ratios((10, small), (1000, large)) == ("100", "8.0", "12.0")


def test_a_side_that_could_not_run_says_why() -> None:
    ours = [Round(ready=0.5, outcome=outcome(100.0, 120.0, 5.0))]

    rows = list(compare.rows_of("burst", {"reference": ours, "real": "it is not built"}))

    assert rows[1][1] == "real: not run, it is not built"
    assert len(rows[1]) == len(compare.HEADER)


def test_without_a_built_kubernetes_the_real_side_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sides.build, "missing", lambda _modules: ("kubernetes",))

    with pytest.raises(NotMeasuredError, match="not built"), sides.real(throttled=True):
        pass


def test_a_few_pods_are_bound_on_the_reference() -> None:
    with sides.reference() as side:
        found = burst(side, nodes=2, pods=10)

    assert len(found.latencies) == 10
    assert min(found.latencies) > 0
    assert found.memory > 0


class Lines:
    """A server that ends its first watch early."""

    def __init__(self) -> None:
        self.versions: list[str] = []

    def watch(self, _path: str, version: str) -> Iterator[dict[str, Any]]:
        """Yield one event a watch; the third finds the server gone."""
        self.versions.append(version)
        if len(self.versions) == 3:
            raise ConnectionRefusedError
        meta = {"name": f"p-{version}", "resourceVersion": str(int(version) + 1)}
        yield {"type": "MODIFIED", "object": {"metadata": meta, "spec": {"nodeName": "n"}}}

    def ask(self, *_: Any) -> dict[str, Any]:
        """Answer with an empty list."""
        return {"metadata": {"resourceVersion": "7"}}


def test_a_watch_that_ends_goes_on_where_it_ended() -> None:
    lines: Any = Lines()
    pods = Pods(lines)

    pods.close()

    assert lines.versions == ["7", "8", "9"]
    assert pods.bound == {"p-7", "p-8"}


def test_a_kubeconfig_gives_server_and_token(tmp_path: Path) -> None:
    document = {
        "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
    }
    path = tmp_path / "kubeconfig"
    path.write_text(json.dumps(document), "utf-8")

    with pytest.raises(OSError, match="refused"):
        Server(path).ask("GET", "/api")
