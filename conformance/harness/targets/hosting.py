"""Who provides the driver that is judged, by what a person said of it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from conformance.harness.errors import TargetMisconfigured, Undecided, Unsupported
from conformance.harness.nodeplugin.attach import reachable_node
from conformance.harness.process.command import CommandError, Surroundings
from conformance.harness.subject import deviceclass
from conformance.harness.subject.configured import PLACEHOLDER, ConfiguredHost
from conformance.harness.subject.installed import InstalledHost
from conformance.harness.subject.protocol import Driver, DriverHost, DriverOptions, Wanted
from conformance.harness.subject.started import ChildHost
from conformance.harness.target import Cluster
from conformance.harness.targets.bundled import BundledCluster
from conformance.harness.targets.bundled_driver import BundledHost
from conformance.harness.targets.credentials import Credentials
from conformance.harness.targets.opening import TargetOptions
from conformance.harness.vendor.hooks import Hooks
from conformance.harness.world import World


def open_host(options: TargetOptions) -> Hosting:
    """Return whoever provides the driver for this run."""
    command = options.driver.command or ""
    if options.kubeconfig is not None and PLACEHOLDER in command:
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

    def close(self) -> None:
        """End what outlives single checks: nothing."""


class CertifiedHost(Hosting):
    """A vendor's program, started once a check first needs it, ended with the run."""

    def __init__(self, options: DriverOptions) -> None:
        super().__init__(InstalledHost(options=options))
        self._options = options
        self._child: ChildHost | None = None
        #: Where the program runs: a variant of that cluster would not see it.
        self._cluster: Cluster | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="dra-conf-driver-")

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

    def close(self) -> None:
        """End the program and remove its files."""
        if self._child is not None:
            self._child.close()
        self._folder.cleanup()

    def _start(self, world: World) -> ChildHost:
        cluster = world.cluster
        if not isinstance(cluster, BundledCluster):
            raise TargetMisconfigured("a driver command goes with the bundled target only")
        access = reachable_node(world)
        folder, options = Path(self._folder.name), self._options
        credentials = Credentials.given(cluster, folder, access.name, options.manifests)
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
        (access.plugins_dir / self._options.name).mkdir(parents=True, exist_ok=True)
        deviceclass.create(world.api, self._options)
        try:
            if "mock-inventory" in self._options.hooks:
                Hooks(options=self._options, surroundings=surroundings).run("mock-inventory")
            log = folder / "driver.log"
            child = ChildHost(options, surroundings, log, rotate=credentials.rotate)
            child.start()
        except (CommandError, Undecided) as error:
            raise TargetMisconfigured(str(error)) from error
        return child
