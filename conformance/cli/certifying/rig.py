"""A control plane and the driver on it, left up for whoever wants to look."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import yaml

from conformance.catalogue import loading
from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal
from conformance.harness.errors import HarnessError
from conformance.harness.subject.protocol import Driver, Wanted
from conformance.harness.target import PLAIN, NodeAccess
from conformance.harness.targets.hosting import open_host
from conformance.harness.targets.opening import TargetOptions, open_target
from conformance.harness.timeouts import Bounds
from conformance.harness.world import World, WorldOptions
from conformance.kube.kubeconfig import written

_RUN = "kept"


def keep(options: TargetOptions, out: Path) -> None:
    """Start what checks are run on, say how it is reached, and wait for SIGINT or SIGTERM.

    Raises ``Refusal`` where the driver can't be started.
    """
    ended = threading.Event()
    target, host = open_target(options), open_host(options)
    try:
        with _heard(ended):
            cluster = target.cluster(PLAIN)
            seconds = {wait.name: wait.seconds for wait in loading.load().waits.values()}
            bounds = Bounds(seconds=seconds, allowed=max(seconds.values()))
            world = World(cluster, WorldOptions(run=_RUN, bounds=bounds), "rig").open()
            with host.drive(world, Wanted()) as driver:
                kubeconfig = out.absolute() / "kubeconfig"
                document = written(cluster.api.server, getattr(cluster, "token", ""), name="rig")
                # One of an earlier run may have been opened to others.
                kubeconfig.unlink(missing_ok=True)
                kubeconfig.touch(mode=0o600)
                kubeconfig.write_text(yaml.safe_dump(document), "utf-8")
                _tell(kubeconfig, driver, world, cluster.node_access()[0])
                ended.wait()
    except HarnessError as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error
    finally:
        host.close()
        target.close()


def _tell(kubeconfig: Path, driver: Driver, world: World, access: NodeAccess) -> None:
    kubectl = f"kubectl --kubeconfig {kubeconfig}"
    selector = f"--field-selector spec.driver={driver.name}"
    for line in (
        f"the driver {driver.name} runs on {access.name}; Ctrl-C ends it",
        f"  {kubectl} get resourceslices {selector} -o yaml",
        f"  {kubectl} -n {world.namespace} get resourceclaims,pods",
        f"  ls {access.registrar_dir} {access.plugins_dir / driver.name}",
        f"  ls {access.cdi_dir}",
    ):
        console.data(line)


@contextlib.contextmanager
def _heard(ended: threading.Event) -> Iterator[None]:
    kept = {
        number: signal.signal(number, lambda *_: ended.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
