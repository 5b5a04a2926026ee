"""The driver double as a whole: sockets, services, and their lifetimes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from types import TracebackType
from typing import Self

import grpc

from conformance.harness.nodeplugin import cdi, health, service
from conformance.harness.nodeplugin.calls import Calls
from conformance.harness.nodeplugin.cdi import SpecFiles
from conformance.harness.nodeplugin.plan import Plan
from conformance.harness.target import NodeAccess
from conformance.kube.objects import Object
from conformance.wire import pluginregistration_v1_pb2, pluginregistration_v1_pb2_grpc

#: The longest path that the kernel takes for a Unix socket, the closing zero included.
SOCKET_PATH_LIMIT = 108

#: Threads per server: the health streams of two kubelets, a hung call and its retries.
_THREADS = 16


class DriverDouble:
    """The node part of a driver on one node; a context manager."""

    def __init__(
        self,
        access: NodeAccess,
        *,
        driver: str,
        fetch_claim: service.FetchClaim,
        plugin_version: str = "v1",
        health_version: str | None = None,
        clock: Callable[[], float] = health.wall_clock,
    ) -> None:
        """Describe the double; nothing happens before it is entered.

        ``plugin_version`` may name several, joined by ``+``, in the order in which they are
        told. ``health_version`` None is a driver without the health service. ``clock`` gives the
        Unix time, in seconds, that stands in health reports.
        """
        self.driver = driver
        self.calls = Calls()
        self.plan = Plan(lambda calls: access.hold_back(str(self._endpoint), calls))
        self.specs = SpecFiles(access.cdi_dir, driver)
        self.health = (
            health.HealthService(
                health_version,
                calls=self.calls,
                clock=clock,
                announce=lambda *told: access.announce(str(self._endpoint), *told),
            )
            if health_version
            else None
        )
        self._fetch_claim = fetch_claim
        self._versions = (plugin_version, health_version)
        #: What the kubelet is told; None is what the double speaks.
        self.offers: list[str] | None = None
        short = hashlib.sha256(driver.encode()).hexdigest()[:10]
        self._endpoint = _fitting(access.plugins_dir / driver / "dra.sock")
        self._registration = _fitting(access.registrar_dir / f"dra-conf-{short}.sock")
        self._service: list[grpc.Server] = []
        self._registrar: list[grpc.Server] = []

    def __enter__(self) -> Self:
        """Start serving and offer the registration socket."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop and remove every file that the double made."""
        self.close()

    def close(self) -> None:
        """Stop and remove every file that the double made."""
        self.stop()
        self.specs.remove_all()
        folder = self._endpoint.parent
        if folder.name == self.driver and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    def as_instance(self, name: str) -> Self:
        """Have sockets of one's own, beside those of another instance; before it starts."""
        self._endpoint = _fitting(self._endpoint.with_name(f"dra-{name}.sock"))
        return self.with_registration_of_its_own(name)

    def with_registration_of_its_own(self, name: str) -> Self:
        """Offer the endpoint under another registration socket; before it starts."""
        stem = self._registration.stem
        self._registration = _fitting(self._registration.with_name(f"{stem}-{name}.sock"))
        return self

    def on_one_socket(self) -> Self:
        """Serve calls on the registration socket; before it starts."""
        self._endpoint = self._registration
        return self

    def start(self) -> None:
        """Serve the plugin's socket, then offer the registration: again after ``stop``."""
        if self._endpoint != self._registration:
            self.serve()
        self.register()

    def stop(self) -> None:
        """Take the registration back and stop serving, as a driver does on SIGTERM."""
        self.unregister()
        self.cease()

    def serve(self) -> None:
        """Serve the plugin's socket; the registration is another matter."""
        self._endpoint.parent.mkdir(parents=True, exist_ok=True)
        server = _server()
        self._add_services(server)
        _listen(server, self._endpoint)
        self._service = [server]

    def cease(self) -> None:
        """Stop serving the plugin's socket and remove it; the registration stays."""
        self.plan.resume()
        if self.health is not None:
            self.health.end_streams()
        if self._service:
            _end(self._service)
            self._endpoint.unlink(missing_ok=True)

    def register(self) -> None:
        """Offer the registration."""
        registrar = _server()
        pluginregistration_v1_pb2_grpc.add_RegistrationServicer_to_server(
            service.Registrar(self._info(), self.calls, self.plan), registrar
        )
        if self._endpoint == self._registration:
            self._add_services(registrar)
        _listen(registrar, self._registration)
        self._registrar = [registrar]

    def unregister(self) -> None:
        """Take the registration back, and go on to serve."""
        self.plan.resume()
        _end(self._registrar)
        self._registration.unlink(missing_ok=True)

    def cdi_id(self, claim: Object, result: Object) -> str:
        """Return the CDI device id that the double gives an allocated device."""
        return f"{cdi.kind(self.driver)}={cdi.device_name(claim['metadata']['uid'], result)}"

    def _add_services(self, server: grpc.Server) -> None:
        plugin, healthy = self._versions
        for version in plugin.split("+"):
            spoken = service.Plugin(
                version,
                driver=self.driver,
                fetch_claim=self._fetch_claim,
                specs=self.specs,
                plan=self.plan,
                calls=self.calls,
            )
            service.VERSIONS[version][1](spoken, server)
        if self.health is not None and healthy is not None:
            health.VERSIONS[healthy][1](self.health, server)

    def _info(self) -> pluginregistration_v1_pb2.PluginInfo:
        plugin, healthy = self._versions
        versions = [f"{version}.DRAPlugin" for version in plugin.split("+")]
        if healthy:
            versions.append(f"{healthy}.DRAResourceHealth")
        return pluginregistration_v1_pb2.PluginInfo(
            type="DRAPlugin",
            name=self.driver,
            endpoint=str(self._endpoint),
            supported_versions=versions if self.offers is None else self.offers,
        )


def _end(servers: list[grpc.Server]) -> None:
    for server in servers:
        server.stop(grace=0.2).wait()
    servers.clear()


def _server() -> grpc.Server:
    return grpc.server(futures.ThreadPoolExecutor(max_workers=_THREADS))


def _listen(server: grpc.Server, path: Path) -> None:
    path.unlink(missing_ok=True)
    server.add_insecure_port(f"unix:{path}")
    server.start()


def _fitting(path: Path) -> Path:
    """Return ``path`` if the kernel takes it as a socket; raises ``ValueError`` if not."""
    size = len(str(path.absolute()).encode())
    if size >= SOCKET_PATH_LIMIT:
        raise ValueError(f"socket path {path} has {size} bytes, at most {SOCKET_PATH_LIMIT - 1}")
    return path.absolute()
