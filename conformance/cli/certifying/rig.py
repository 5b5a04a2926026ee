"""A control plane and the driver on it, left up for whoever wants to look.

Two kubeconfigs lie in the folder of the report meanwhile, each named after whose it is: the
administrator's, who may do everything, and the driver's own, who may do what its account may.
"""

from __future__ import annotations

import contextlib
import shlex
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
from conformance.harness.target import PLAIN, Cluster
from conformance.harness.targets.hosting import CertifiedHost
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
    target, host = open_target(options), CertifiedHost(options.driver)
    try:
        with _heard(ended):
            cluster = target.cluster(PLAIN)
            seconds = {wait.name: wait.seconds for wait in loading.load().waits.values()}
            bounds = Bounds(seconds=seconds, allowed=max(seconds.values()))
            world = World(cluster, WorldOptions(run=_RUN, bounds=bounds), "rig").open()
            with (
                host.drive(world, Wanted()) as driver,
                _handed_out(out.absolute() / "admin.kubeconfig", _administrator(cluster)) as admin,
                _handed_out(out.absolute() / "driver.kubeconfig", _own(host)) as own,
            ):
                _tell(driver, world, admin, own)
                ended.wait()
    except HarnessError as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error
    finally:
        host.close()
        target.close()


def _administrator(cluster: Cluster) -> str:
    token = getattr(cluster, "token", "")
    return yaml.safe_dump(written(cluster.api.server, token, name="administrator"))


def _own(host: CertifiedHost) -> str:
    """Return the driver's kubeconfig, which names a file with its token and holds none."""
    return "" if host.kubeconfig is None else host.kubeconfig.read_text("utf-8")


@contextlib.contextmanager
def _handed_out(path: Path, document: str) -> Iterator[Path]:
    """Write a kubeconfig for its owner's eyes alone, and delete it with what it leads to."""
    # One of an earlier run may have been opened to others.
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(document, "utf-8")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _tell(driver: Driver, world: World, *kubeconfigs: Path) -> None:
    access = world.cluster.node_access()[0]
    admin, own = (f"kubectl --kubeconfig {shlex.quote(str(one))}" for one in kubeconfigs)
    selector = f"--field-selector spec.driver={driver.name}"
    for line in (
        f"the driver {driver.name} runs on {access.name}; Ctrl-C ends it, and these kubeconfigs",
        "as an administrator, who may do everything:",
        f"  {admin} get resourceslices {selector} -o yaml",
        f"  {admin} -n {world.namespace} get resourceclaims,pods",
        "as the driver, with its own token and rights:",
        f"  {own} auth can-i --list",
        f"  {own} get resourceslices {selector}",
        "its directories:",
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
