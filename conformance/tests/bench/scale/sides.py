"""The clusters that are compared: processes of their own, and what they use of the machine."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path

import attrs
import psutil

from conformance.tests.bench import processes
from conformance.tests.bench.scale.server import Server
from conformance.tests.bench.table import NotMeasuredError
from conformance.upstream import build, errors
from conformance.upstream.cluster import Cluster
from conformance.upstream.plan import Plan

#: Requests per second that no client of ours comes near: nothing is throttled.
_UNLIMITED = 10_000

_MIB = 2**20


@attrs.frozen(kw_only=True)
class Side:
    """One running cluster: how it is asked, how fast it came up, which processes it is."""

    server: Server
    seconds_to_ready: float
    processes: tuple[psutil.Process, ...]

    def memory(self) -> float:
        """Return the resident memory of all processes, in MiB."""
        return sum(one.memory_info().rss for one in self.processes) / _MIB

    def processor_seconds(self) -> float:
        """Return the processor time that all processes have used."""
        used = [one.cpu_times() for one in self.processes]
        return sum(one.user + one.system for one in used)


#: Starts a cluster, and takes it down at the end.
Start = Callable[[], AbstractContextManager[Side]]


@contextmanager
def reference() -> Iterator[Side]:
    """Run ``serve`` without nodes of its own, on the machine's clock."""
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as folder:
        kubeconfig = Path(folder) / "kubeconfig"
        options = ("--real-time", "--nodes", "0", "--kubeconfig-out", str(kubeconfig))
        with (
            processes.serving(kubeconfig, *options) as (child, seconds),
            closing(Server(kubeconfig)) as server,
        ):
            yield Side(
                server=server,
                seconds_to_ready=seconds,
                processes=(psutil.Process(child.pid),),
            )


@contextmanager
def real(*, throttled: bool) -> Iterator[Side]:
    """Run a real control plane, without nodes.

    ``throttled`` leaves the scheduler its default QPS, and the controller manager the 75 (150
    at once) that the documentation recommends. Raises ``NotMeasuredError``.
    """
    if build.missing(build.needed(kubelet=False)):
        raise NotMeasuredError("Kubernetes is not built (dra-conformance upstream build)")
    with tempfile.TemporaryDirectory(prefix="drb-") as folder, ExitStack() as stack:
        state = Path(folder) / "s"
        plan = Plan(bare_nodes=0, extra_args={} if throttled else _unthrottled(state, folder))
        start = time.perf_counter()
        try:
            cluster = stack.enter_context(Cluster(state, plan))
        except errors.UpstreamError as error:
            raise NotMeasuredError(str(error)) from error
        seconds = time.perf_counter() - start
        yield Side(
            server=stack.enter_context(closing(Server(cluster.kubeconfig))),
            seconds_to_ready=seconds,
            processes=tuple(psutil.Process(one.pid) for one in cluster.components),
        )


def _unthrottled(state: Path, folder: str) -> dict[str, tuple[str, ...]]:
    """Return arguments that lift every limit; of two ``--config`` the last one counts."""
    rate = {"qps": _UNLIMITED, "burst": _UNLIMITED}
    kubeconfig = state / "keys" / "system-kube-scheduler.kubeconfig"
    configuration = Path(folder) / "scheduler.json"
    document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False},
        "clientConnection": {"kubeconfig": str(kubeconfig), **rate},
    }
    configuration.write_text(json.dumps(document), "utf-8")
    return {
        "kube-controller-manager": (
            f"--kube-api-qps={_UNLIMITED}",
            f"--kube-api-burst={_UNLIMITED}",
        ),
        "kube-scheduler": (f"--config={configuration}",),
    }
