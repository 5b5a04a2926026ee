"""What a real API server answered: kept in files, and asked again.

``python -m conformance.tests.differential.api.record`` starts real control planes and writes the
files anew.
"""

from __future__ import annotations

import json
import lzma
import tempfile
from contextlib import closing
from pathlib import Path

from conformance.kube.objects import Object
from conformance.tests.differential.access import read_kubeconfig
from conformance.tests.differential.api.asking import Server, ask_all
from conformance.upstream.cluster import Cluster
from conformance.upstream.plan import Plan

#: Sets of feature gates that are compared.
GATES = ("default", "alpha")

#: Controllers would change what is compared.
_QUIET = (
    (
        "--controllers=-resourceclaim-controller,-resourcepoolstatusrequest-controller,"
        "-device-taint-eviction-controller"
    ),
)
_FOLDER = Path(__file__).with_name("recordings")


def recorded(gates: str) -> dict[str, Object]:
    """Return the recorded answers, by the id of the write; ``sent`` is the write's digest."""
    with lzma.open(_FOLDER / f"{gates}.jsonl.xz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return {row.pop("id"): row for row in rows}


def fresh(gates: str) -> dict[str, Object]:
    """Ask a real API server of its own; errors are those of ``conformance.upstream``."""
    plan = Plan(
        alpha=gates == "alpha", bare_nodes=0, extra_args={"kube-controller-manager": _QUIET}
    )
    with (
        tempfile.TemporaryDirectory(prefix="da-", dir="/tmp") as folder,
        Cluster(Path(folder) / "s", plan) as cluster,
        closing(Server(read_kubeconfig(cluster.kubeconfig))) as server,
    ):
        return {
            write.id: {"sent": write.digest(), **answer} for write, answer in ask_all(server, gates)
        }


def write_down(gates: str, answers: dict[str, Object]) -> None:
    """Write a recording."""
    with lzma.open(_FOLDER / f"{gates}.jsonl.xz", "wt", preset=9) as lines:
        for key, answer in answers.items():
            lines.write(json.dumps({"id": key, **answer}, sort_keys=True) + "\n")


if __name__ == "__main__":
    for _gates in GATES:
        write_down(_gates, fresh(_gates))
