"""What a real API server answered: kept in files, and asked again.

``python -m conformance.tests.differential.transcripts.record`` starts real control planes and
writes the files anew.
"""

from __future__ import annotations

import json
import tempfile
import time
import urllib.request
from pathlib import Path

from conformance.kube.objects import Object
from conformance.tests.differential.access import read_kubeconfig
from conformance.tests.differential.transcripts import drawing
from conformance.tests.differential.transcripts.playing import Player
from conformance.tests.differential.transcripts.script import Script, scripts
from conformance.upstream.cluster import Cluster
from conformance.upstream.plan import Plan

#: Sets of feature gates that scripts name.
GATES = ("default",)

#: What others write by themselves would be chance: controllers are off where they could.
_OFF = (
    "device-taint-eviction",
    "garbage-collector",
    "pod-garbage-collector",
    "resourceclaim",
    "resourcepoolstatusrequest",
    "root-ca-certificate-publisher",
)
_QUIET = {
    "kube-controller-manager": (f"--controllers={','.join(f'-{one}-controller' for one in _OFF)}",),
    "kube-apiserver": ("--disable-admission-plugins=ServiceAccount",),
}
_SECONDS = 60.0
_FOLDER = Path(__file__).with_name("recordings")


def everything() -> list[Script]:
    """Return every conversation: those that were written and those that were drawn."""
    return [*scripts(), *drawing.scripts()]


def recorded(name: str) -> list[Object]:
    """Return the recorded answers of a script."""
    lines = (_FOLDER / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def fresh(gates: str) -> dict[str, list[Object]]:
    """Play every script of these gates to a real API server, by name.

    Errors are those of ``conformance.upstream``.
    """
    plan = Plan(alpha=gates == "alpha", bare_nodes=0, extra_args=_QUIET)
    with (
        tempfile.TemporaryDirectory(prefix="dt-", dir="/tmp") as folder,
        Cluster(Path(folder) / "s", plan) as cluster,
    ):
        player = Player(read_kubeconfig(cluster.kubeconfig), lambda: _forget(cluster))
        return {one.name: player.play(one) for one in everything() if one.gates == gates}


def write_down(name: str, answers: list[Object]) -> None:
    """Write the recording of a script."""
    lines = [json.dumps(answer, sort_keys=True) for answer in answers]
    (_FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def _forget(cluster: Cluster) -> None:
    """Compact the storage, and start the API server again, whose watch cache remembers too."""
    revision = cluster.api.call("GET", "/api/v1/namespaces")["metadata"]["resourceVersion"]
    request = urllib.request.Request(
        f"http://127.0.0.1:{cluster.control.ports.etcd}/v3/kv/compaction",
        data=json.dumps({"revision": revision, "physical": True}).encode(),
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=10):
        pass
    server = next(one for one in cluster.components if one.name == "kube-apiserver")
    server.stop()
    server.start()
    deadline = time.monotonic() + _SECONDS
    while not cluster.api.is_ready():
        server.must_live()
        assert time.monotonic() < deadline, "the API server did not come back"
        time.sleep(0.1)


if __name__ == "__main__":
    for _gates in GATES:
        for _name, _answers in fresh(_gates).items():
            write_down(_name, _answers)
