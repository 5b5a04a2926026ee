"""One kubelet: constructed on a node's directories, started, stopped, and started anew."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.kube.quantity import parse
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.preparing import Preparer
from conformance.reference.kubelet.claims.unpreparing import Unpreparer
from conformance.reference.kubelet.health.cache import HealthCache
from conformance.reference.kubelet.health.entries import HealthEntries
from conformance.reference.kubelet.health.watch import HealthWatch
from conformance.reference.kubelet.node import register
from conformance.reference.kubelet.pods.loop import PodLoop
from conformance.reference.kubelet.pods.worker import Parts
from conformance.reference.kubelet.registration.book import PluginBook
from conformance.reference.kubelet.registration.plugin import Plugin
from conformance.reference.kubelet.registration.registrar import Registrar
from conformance.reference.kubelet.registration.slices import SliceWiper
from conformance.reference.kubelet.runtime.containers import Runtime
from conformance.reference.kubelet.server.logs import LogServer
from conformance.reference.kubelet.server.podresources import PodResources
from conformance.reference.kubelet.settings import ALLOCATABLE, Directories, Gates, KubeletSettings
from conformance.reference.measuring.measures import Measures, text
from conformance.reference.measuring.watches import DriverMeasures

#: What a node has of which nobody said how much memory it has.
_MEMORY = ALLOCATABLE["memory"]


def health_enabled(gates: Gates) -> bool:
    """Tell whether device health is followed and written into Pod status."""
    return gates.enabled("ResourceHealthStatus")


def heeds_groups(gates: Gates) -> bool:
    """Tell whether a claim can be owned by a PodGroup, or reserved for one."""
    return gates.enabled("DRAWorkloadResourceClaims")


class Kubelet:
    """The kubelet of one node.

    ``stop`` leaves containers, claims and health on disk, as a kubelet that restarts does:
    another instance on the same directories goes on from there.
    """

    def __init__(
        self,
        client: ApiClient,
        *,
        directories: Directories,
        settings: KubeletSettings,
        clock: Clock,
        faults: Faults = NONE,
    ) -> None:
        """Read what is on disk; nothing happens before ``start``.

        Raises ``CheckpointError`` for a claim checkpoint that can't be trusted.
        """
        self._client = client
        self._directories = directories
        self._settings = settings
        self._clock = clock
        root = directories.root
        root.mkdir(parents=True, exist_ok=True)
        self._claims = ClaimCache(root / "dra_manager_state", faults)
        self._health = HealthCache(root / "dra_health_state", now=clock.now, faults=faults)
        self._runtime = Runtime(
            root / "containers", directories.cdi_dir, now=clock.now, faults=faults
        )
        self._watch = HealthWatch(
            self._health, clock=clock, faults=faults, on_change=self._health_changed
        )
        self._has_health = faults.wrap("kubelet.health_enabled", health_enabled)(settings.gates)
        self._wiper = SliceWiper(client, directories.name, clock, faults)
        self._measures = Measures()
        self._driver_measures = DriverMeasures(self._measures, clock)
        self._told = faults.wrap("kubelet.metrics", Measures.samples)
        self._book = PluginBook(
            clock=clock,
            faults=faults,
            wiping_delay=settings.wiping_delay,
            wipe=self._wiper.wipe,
            follow=self._follow,
            observe=self._driver_measures.called,
        )
        self._registrar = Registrar(
            directories.registrar_dir,
            self._book,
            clock=clock,
            faults=faults,
            call_timeout=settings.call_timeout,
        )
        self._loop = PodLoop(directories.name, self._parts(faults))
        self._logs = LogServer(self._runtime.log, lambda: text(self._told(self._measures)))
        self._podresources = PodResources(self._loop.pods, self._claims, faults)

    async def start(self) -> None:
        """Register the node and begin to work; returns once its Pods are known."""
        for path in (self._directories.plugins_dir, self._directories.cdi_dir):
            path.mkdir(parents=True, exist_ok=True)
        port = await self._logs.start()
        now = self._clock.now()
        await register(self._client, self._directories.name, self._settings, port, now)
        # No driver has registered yet: whatever they had published can't be used now.
        await self._wiper.wipe(None)
        await self._podresources.start(self._directories.root / "pod-resources" / "kubelet.sock")
        if self._has_health:
            self._watch.start()
        self._registrar.start()
        await self._loop.start()

    async def stop(self) -> None:
        """Stop to work; what runs on the node goes on."""
        self._watch.stop()
        await self._registrar.stop()
        await self._loop.stop()
        await self._book.close()
        await self._podresources.stop()
        await self._logs.stop()

    def drivers(self) -> list[str]:
        """Return the names of the drivers that are registered, sorted."""
        return self._book.drivers()

    def _parts(self, faults: Faults) -> Parts:
        gates = self._settings.gates
        self._measures.gauge("dra_resource_claims_in_use", self._claims.in_use)
        entries = HealthEntries(
            self._claims,
            self._health,
            faults,
            gates.enabled("ResourceHealthStatusMessage"),
        )
        preparer = Preparer(
            self._client,
            self._claims,
            self._book,
            faults,
            gates.enabled("DRAOptionalNodeOperations"),
            faults.wrap("kubelet.heeds_groups", heeds_groups)(gates),
        )
        return Parts(
            client=self._client,
            clock=self._clock,
            faults=faults,
            retry_period=self._settings.retry_period,
            sync_period=self._settings.sync_period,
            measures=self._driver_measures,
            preparer=preparer,
            unpreparer=Unpreparer(self._claims, self._book, faults),
            claims=self._claims,
            runtime=self._runtime,
            entries=entries if self._has_health else None,
            memory=int(parse(self._settings.allocatable.get("memory", _MEMORY)).amount),
        )

    async def _follow(self, plugin: Plugin) -> None:
        if self._has_health:
            await self._watch.follow(plugin)

    def _health_changed(self, driver: str, devices: Iterable[tuple[str, str]]) -> None:
        self._loop.wake(self._claims.pods_with(driver, devices))
