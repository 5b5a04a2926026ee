"""A whole cluster in one event loop: the one way into the reference.

``Cluster`` wires API server, controllers, scheduler, kubelets and bundled drivers together.
They share nothing but the clock, the seed and the faults; everything else they learn from
the API server, over real HTTP on loopback.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import attrs

from conformance.dra.features import Features
from conformance.kube.objects import Object, namespace_of
from conformance.kube.resources import RESOURCES, Resource
from conformance.reference import accounts
from conformance.reference.apiserver.authentication.users import ANONYMOUS, Known, administrator
from conformance.reference.apiserver.authorization.access import Act
from conformance.reference.apiserver.http.disturbing import Disturbance
from conformance.reference.apiserver.server import ApiServer
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import Clock, RealClock, VirtualClock
from conformance.reference.consumer.decoding import Consumer
from conformance.reference.controllers.manager import ControllerManager
from conformance.reference.driver.config import (
    BindingConfig,
    ConfigurationError,
    DriverConfig,
    HealthConfig,
    MetadataConfig,
)
from conformance.reference.driver.driver import ExampleDriver
from conformance.reference.identity import Identity
from conformance.reference.kubelet.kubelet import Kubelet
from conformance.reference.kubelet.settings import ALLOCATABLE, KubeletSettings
from conformance.reference.options import ClusterOptions, NodeDirectories
from conformance.reference.scheduler.configuration import parse_configuration
from conformance.reference.scheduler.loop import Scheduler
from conformance.reference.shifted import ShiftedClock
from conformance.reference.store.memory import Store
from conformance.reference.world.model import World, WorldDriver, WorldNode, device_class_of
from conformance.trust.trouble import Trouble

#: Real seconds until a bundled driver that is asked to end counts as hung: while it ends its
#: servers, and afterwards.
_CLOSING = 3.0
_FINISHING = 0.2

#: The namespaces that every cluster has.
NAMESPACES = ("default", "kube-system")


class Cluster:
    """One reference cluster. ``start`` before anything else, ``stop`` at the end.

    Construction raises ``dra.features.FeatureError`` for unknown versions and gates,
    ``dra.versions.serving.RuntimeConfigError`` for unknown API versions and
    ``scheduler.configuration.ConfigurationError`` for a scheduler configuration that a real
    kube-scheduler would not start with.
    """

    def __init__(self, options: ClusterOptions) -> None:
        self.options = options
        self.features = options.faults.wrap("cluster.features", features)(
            options.version, options.gates
        )
        #: What an application in a container reads its metadata with.
        self.consumer = Consumer(options.faults)
        self._scheduler_options = parse_configuration(
            options.scheduler_configuration, self.features
        )
        self.clock: Clock = VirtualClock() if options.virtual else RealClock()
        self.token = options.token
        #: Where its own parts ask, without TLS, and where others do.
        self.url = self.public_url = ""
        #: By what the public URL is trusted, as PEM; empty without TLS.
        self.authority = b""
        self.nodes: list[NodeDirectories] = []
        self._server = ApiServer(
            Store(),
            clock=self.clock,
            identity=Identity(options.seed),
            features=attrs.evolve(self.features, runtime_config=options.runtime_config),
            faults=options.faults,
            known=_known(options),
        )
        self._clients: list[ApiClient] = []
        self._loops: list[ControllerManager | Scheduler] = []
        self._kubelets: dict[str, Kubelet] = {}
        #: By driver name, node and instance.
        self._drivers: dict[tuple[str, str, str], ExampleDriver] = {}
        self.driver_tokens = accounts.DriverTokens(self._server.rotation, options.faults)

    @property
    def world(self) -> World:
        """Return the world that the cluster starts with."""
        return self.options.world or World()

    async def start(self) -> None:
        """Return once everything works: caches are filled, nodes are Ready.

        Raises ``OSError`` if the port is taken. After a failure ``stop`` clears away what was
        started.
        """
        self.url = await self._server.start(0 if self.options.tls else self.options.port)
        self.public_url = self.url
        if self.options.tls:
            await self.secure(self.options.port)
        self._server.bootstrap()
        api = self._client()
        for name in NAMESPACES:
            await create(api, _namespace(name))
        self._loops = [self._controllers(), self._scheduler()]
        await asyncio.gather(*(loop.start() for loop in self._loops))
        for node in self.options.world_nodes():
            self.nodes.append(NodeDirectories.below(self.options.root, node.name))
            await self.start_kubelet(node.name)
        await self._populate(api)

    async def stop(self) -> None:
        """End everything, in the reverse order; files of the nodes stay."""
        for name, node, instance in list(self._drivers):
            await self.stop_driver(name, node, instance)
        for name in list(self._kubelets):
            await self.stop_kubelet(name)
        for loop in reversed(self._loops):
            await loop.stop()
        for client in self._clients:
            await client.close()
        await self._server.stop()

    @property
    def metrics(self) -> Mapping[str, str]:
        """Return where the components of the control plane tell their metrics, by their names."""
        names = ("kube-controller-manager", "kube-scheduler")
        return dict(zip(names, (loop.metrics_url for loop in self._loops), strict=True))

    async def step(self, limit: float, *, unprompted: bool = True) -> float:
        """Let at most so many seconds pass, up to the next thing that waits for time.

        Returns the seconds that passed. On a real clock they really pass. ``unprompted`` as
        for ``VirtualClock.step``.
        """
        if isinstance(self.clock, VirtualClock):
            return await self.clock.step(limit, unprompted=unprompted)
        await self.clock.sleep(limit)
        return limit

    async def secure(self, port: int = 0) -> None:
        """Let others ask with TLS from now on; nothing happens if they do already."""
        if not self.authority:
            self.public_url, self.authority = await self._server.secure(port)

    async def leave_api(self) -> None:
        """Take the API server away: nobody reaches it, and what it stores is kept."""
        await self._server.pause()

    async def restore_api(self) -> None:
        """Bring the API server back, where it was."""
        await self._server.resume()

    def _controllers(self) -> ControllerManager:
        return ControllerManager(
            self._component(accounts.CONTROLLER_MANAGER),
            lambda name: self._component(accounts.controller(name)),
            clock=self.clock,
            features=self.features,
            faults=self.options.faults,
        )

    def _scheduler(self) -> Scheduler:
        return Scheduler(
            self._component(accounts.SCHEDULER),
            clock=self.clock,
            features=self.features,
            options=self._scheduler_options,
            faults=self.options.faults,
        )

    @property
    def driver_account(self) -> str:
        """The user as whom bundled drivers act."""
        return f"system:serviceaccount:{accounts.NAMESPACE}:{accounts.NAME}"

    def access_log(self) -> list[Act]:
        """Return every act on a resource that somebody did or tried, the oldest first."""
        return self._server.access_log()

    # Nodes.

    async def start_kubelet(self, name: str) -> None:
        """Start the kubelet of a node on the directories that it has."""
        directories = self._directories(name)
        node = next(one for one in self.options.world_nodes() if one.name == name)
        kubelet = Kubelet(
            self._component(accounts.kubelet(name)),
            directories=directories,
            settings=kubelet_settings(node, self.features),
            clock=self.clock,
            faults=self.options.faults,
        )
        # Known before it starts: what fails half way must be stopped too.
        self._kubelets[name] = kubelet
        await kubelet.start()

    async def stop_kubelet(self, name: str) -> None:
        """Stop the kubelet of a node; its containers keep running."""
        kubelet = self._kubelets.pop(name, None)
        if kubelet is not None:
            await kubelet.stop()

    async def restart_kubelet(self, name: str) -> None:
        """Stop the kubelet of a node and start a new one on the same directories."""
        await self.stop_kubelet(name)
        await self.start_kubelet(name)

    def _directories(self, name: str) -> NodeDirectories:
        for node in self.nodes:
            if node.name == name:
                return node
        raise LookupError(f"no node is called {name!r}")

    # Drivers.

    async def start_driver(self, node: str, config: DriverConfig, ahead: int = 0) -> ExampleDriver:
        """Start a bundled driver on a node; in virtual time its kubelet has seen it then.

        A kubelet that has not would let the first Pod wait for its next sync, a minute later. The
        driver's monotonic clock is so many seconds ``ahead`` of the cluster's.
        """
        directories, faults = self._directories(node), self.options.faults
        me = config.name, node, config.instance
        token = await self.driver_tokens.give(self._clients[0], me, directories.root)
        driver = self._drivers[me] = ExampleDriver(
            config,
            self._client(token),
            directories=directories,
            clock=ShiftedClock(self.clock, ahead),
            faults=faults,
        )
        await driver.start()
        if isinstance(self.clock, VirtualClock):
            await self.clock.settle()
        return driver

    async def stop_driver(self, name: str, node: str, instance: str = "") -> int | None:
        """Stop a bundled driver, as a terminated process would, and return its exit code.

        None stands for one that has not ended in time: it is killed.
        """
        driver = self._drivers.pop((name, node, instance), None)
        return 0 if driver is None else await _ended(driver)

    async def kill_driver(self, name: str, node: str, instance: str = "") -> None:
        """End a bundled driver, as a killed process would: its sockets stay behind."""
        driver = self._drivers.pop((name, node, instance), None)
        if driver is not None:
            await driver.kill()

    def driver(self, name: str, node: str) -> ExampleDriver:
        """Return a bundled driver that runs; raises ``LookupError``."""
        return self._drivers[name, node, ""]

    # Trouble.

    async def disturb(self, driver: str, trouble: Trouble) -> Disturbance:
        """Let the requests of a driver meet trouble from now on."""
        return self._server.disturbances.begin(driver, trouble)

    async def cut_watches(self, driver: str) -> None:
        """Break the watches of a driver for its ResourceSlices."""
        self._server.disturbances.cut(driver)

    async def leave_alone(self, disturbance: Disturbance) -> None:
        """Let the trouble of a driver be over."""
        self._server.disturbances.end(disturbance)

    # The world.

    async def _populate(self, api: ApiClient) -> None:
        for obj in self.world.classes:
            await create(api, obj)
        for row in self.world.drivers:
            await create(api, device_class_of(row))
            for node in self.nodes:
                if row.runs_on(node.name):
                    await self.start_driver(node.name, driver_config(row))
        for obj in self.world.objects:
            await create(api, obj)

    def _component(self, user: str) -> ApiClient:
        return self._client(accounts.fixed_token(self.token, user))

    def _client(self, token: str | Callable[[], str] = "") -> ApiClient:
        """Return a client with a token, by default the administrator's."""
        self._clients.append(ApiClient(self.url, token or self.token, clock=self.clock))
        return self._clients[-1]


def features(version: str, gates: Mapping[str, bool]) -> Features:
    """Return what a component starts with; raises ``FeatureError`` where none would."""
    return Features(version=version, gates=dict(gates))


def _known(options: ClusterOptions) -> Known:
    names = [node.name for node in options.world_nodes()]
    components = accounts.components(names)
    tokens = {accounts.fixed_token(options.token, user.name): user for user in components}
    known = Known(tokens={options.token: administrator("kubernetes-admin"), **tokens})
    return attrs.evolve(known, nobody=ANONYMOUS) if options.tls else known


def kubelet_settings(node: WorldNode, gates: Features) -> KubeletSettings:
    """Return how the kubelet of a node is configured."""
    labels = {
        "kubernetes.io/hostname": node.name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        **node.labels,
    }
    return KubeletSettings(
        gates=gates,
        version=f"v{gates.version}.0",
        labels=labels,
        allocatable={**ALLOCATABLE, **node.allocatable},
    )


async def create(api: ApiClient, obj: Object) -> Object:
    """Create an object of a served kind, by default in the namespace ``default``."""
    resource = resource_of(obj)
    namespace = namespace_of(obj) or "default"
    return await api.create(resource, obj, namespace if resource.namespaced else None)


def driver_config(row: WorldDriver) -> DriverConfig:
    """Return how a driver of a world is configured."""
    return DriverConfig(
        name=row.name,
        devices=row.devices,
        metadata=MetadataConfig() if row.metadata else None,
        health=HealthConfig() if row.health else None,
    )


def resource_of(obj: Object) -> Resource:
    """Return the resource of an object; raises ``LookupError`` for a kind that is not served."""
    for row in RESOURCES:
        if (row.api_version, row.kind) == (obj.get("apiVersion"), obj.get("kind")):
            return row
    raise LookupError(f"kind {obj.get('kind')} of {obj.get('apiVersion')} is not served")


def _namespace(name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


__all__ = [
    "BindingConfig",
    "Cluster",
    "ClusterOptions",
    "ConfigurationError",
    "DriverConfig",
    "HealthConfig",
    "MetadataConfig",
    "NodeDirectories",
]


async def _ended(driver: ExampleDriver) -> int | None:
    """Let a driver end, or kill it; return its exit code, None if it had to be killed."""
    try:
        await asyncio.wait_for(driver.close(), _CLOSING)
        return await asyncio.wait_for(driver.finish(), _FINISHING)
    except TimeoutError:
        await driver.kill()
        return None
