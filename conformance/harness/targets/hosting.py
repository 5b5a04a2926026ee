"""Who provides the driver that is judged, by what a person said of it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from conformance.harness.client import Api
from conformance.harness.errors import HarnessError, TargetMisconfigured, Undecided, Unsupported
from conformance.harness.lending.credentials import Credentials
from conformance.harness.lending.lent import Lent, must_be_free
from conformance.harness.lending.plane import Plane
from conformance.harness.nodeplugin.attach import reachable_node
from conformance.harness.process.command import CommandError, Surroundings
from conformance.harness.process.disk import OthersDisk, SpecDisk
from conformance.harness.subject import deviceclass
from conformance.harness.subject.configured import ConfiguredHost
from conformance.harness.subject.installed import InstalledHost
from conformance.harness.subject.inventory import SLICES
from conformance.harness.subject.protocol import (
    CONFIGURATION,
    Driver,
    DriverHost,
    DriverOptions,
    Wanted,
)
from conformance.harness.subject.started import ChildHost
from conformance.harness.target import Cluster
from conformance.harness.targets.bundled_driver import BundledHost
from conformance.harness.targets.opening import TargetOptions
from conformance.harness.vendor.hooks import Hooks
from conformance.harness.world import World
from conformance.kube.status import StatusError


def open_host(options: TargetOptions) -> Hosting:
    """Return whoever provides the driver for this run."""
    command = options.driver.command or ""
    if options.kubeconfig is not None and CONFIGURATION in command:
        return Hosting(ConfiguredHost(options=options.driver, kubeconfig=options.kubeconfig))
    if options.driver.command is not None:
        return CertifiedHost(options.driver)
    if options.driver.name or options.kind != "bundled":
        kubeconfig = (options.kubeconfig or Path()).absolute()
        return Hosting(InstalledHost(options=options.driver, kubeconfig=kubeconfig))
    return Hosting(BundledHost())


class Hosting:
    """A host and what has to be ended with the run."""

    def __init__(self, host: DriverHost) -> None:
        self._host = host

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Provide the driver for one check, and let its story be evidence."""
        with self._host.drive(world, wanted) as driver:
            world.witnesses["driver"] = driver.story
            yield driver

    def close(self) -> list[str]:
        """End what outlives single checks; return a sentence for each thing that stays: none."""
        return []


class CertifiedHost(Hosting):
    """A vendor's program, started once a check first needs it, ended with the run."""

    def __init__(self, options: DriverOptions) -> None:
        super().__init__(InstalledHost(options=options))
        self._options = options
        self._child: ChildHost | None = None
        #: Where the program runs: a variant of that cluster would not see it.
        self._cluster: Cluster | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="dra-conf-driver-")
        #: What has to be undone when the program has ended, the newest last.
        self._undone = contextlib.ExitStack()
        self._left: list[str] = []
        #: The file by which the API server knows the driver; None before it was started.
        self.kubeconfig: Path | None = None

    @contextmanager
    def drive(self, world: World, wanted: Wanted) -> Iterator[Driver]:
        """Provide the running program; raises ``TargetMisconfigured`` where it can't be started."""
        if self._child is None:
            self._child = self._start(world)
            self._cluster = world.cluster
        if world.cluster is not self._cluster:
            raise Unsupported("the check needs other feature gates than the driver runs with")
        with self._child.drive(world, wanted) as driver:
            world.witnesses["driver"] = driver.story
            yield driver

    def close(self) -> list[str]:
        """End the program and remove its files, and what a cluster of others has of it.

        Returns a sentence for each object that stays there.
        """
        if self._child is not None:
            self._child.close()
        self._undone.close()
        self._folder.cleanup()
        return self._left

    def _start(self, world: World) -> ChildHost:
        cluster = world.cluster
        if not isinstance(cluster, Plane):
            raise TargetMisconfigured("a driver can't be started on this target")
        access = reachable_node(world)
        if cluster.is_shared:
            must_be_free(world.api, self._options)
            # From now on its slices are ours, and go with the run.
            name = self._options.name
            self._undone.callback(lambda: self._left.extend(_withdrawn(world.api, name)))
        lent = Lent(world.api, world.options.run)
        self._undone.callback(lambda: self._left.extend(lent.close()))
        folder, options = Path(self._folder.name), self._options
        credentials = Credentials.given(cluster, lent, folder, access.name, options.manifests)
        self.kubeconfig = credentials.kubeconfig
        if options.manifests is not None:
            options = attrs.evolve(options, account=credentials.user)
        surroundings = Surroundings(
            node_name=access.name,
            kubeconfig=credentials.kubeconfig,
            plugins_dir=access.plugins_dir,
            registrar_dir=access.registrar_dir,
            cdi_dir=access.cdi_dir,
            instance=options.instance,
        )
        self._provide(access.plugins_dir / self._options.name)
        deviceclass.create(lent, self._options)
        disk = (OthersDisk if cluster.is_shared else SpecDisk)(access.cdi_dir)
        try:
            if "mock-inventory" in self._options.hooks:
                Hooks(options=self._options, surroundings=surroundings).run("mock-inventory")
            log = folder / "driver.log"
            child = ChildHost(options, surroundings, log, rotate=credentials.rotate, disk=disk)
            child.start()
        except (CommandError, Undecided) as error:
            raise TargetMisconfigured(str(error)) from error
        return child

    def _provide(self, folder: Path) -> None:
        """Make the folder in which a driver keeps its state, if it is not there."""
        if not folder.exists():
            folder.mkdir(parents=True)
            self._undone.callback(shutil.rmtree, folder, ignore_errors=True)


def _withdrawn(api: Api, driver: str) -> Iterator[str]:
    """Delete the slices of a driver that runs no more; yield a sentence where they stay."""
    try:
        for one in api.list(SLICES, fields=f"spec.driver={driver}"):
            with contextlib.suppress(StatusError):
                api.delete(SLICES, one["metadata"]["name"])
        if left := len(api.list(SLICES, fields=f"spec.driver={driver}")):
            yield f"{left} ResourceSlices of {driver} stay"
    except (StatusError, HarnessError) as error:
        yield f"the ResourceSlices of {driver} stay: {error}"
