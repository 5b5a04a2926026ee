"""An API server, a virtual clock and one kubelet: what the tests of the node run on."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs

from conformance.dra.features import Features
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication.users import Known, administrator
from conformance.reference.apiserver.server import ApiServer
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import VirtualClock
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.identity import Identity
from conformance.reference.kubelet.kubelet import Kubelet
from conformance.reference.kubelet.settings import KubeletSettings
from conformance.reference.store.memory import Store

NODE = "node-1"


@attrs.frozen(kw_only=True)
class Directories:
    """The directories of the one node."""

    name: str
    root: Path

    @property
    def plugins_dir(self) -> Path:
        """One folder per driver."""
        return self.root / "plugins"

    @property
    def registrar_dir(self) -> Path:
        """The registration sockets."""
        return self.root / "plugins_registry"

    @property
    def cdi_dir(self) -> Path:
        """The CDI specs."""
        return self.root / "cdi"


class Rig:
    """One node on one API server; drivers are up to the test."""

    def __init__(self, root: Path, gates: dict[str, bool], faults: Faults) -> None:
        self.clock = VirtualClock()
        self.features = Features(version="1.37", gates=gates)
        self.directories = Directories(name=NODE, root=root)
        self.directories.registrar_dir.mkdir(parents=True)
        self.directories.plugins_dir.mkdir(parents=True)
        self.directories.cdi_dir.mkdir(parents=True)
        self.faults = faults
        self._server = ApiServer(
            Store(),
            clock=self.clock,
            identity=Identity(0),
            features=self.features,
            known=Known(tokens={"t": administrator("admin")}),
        )
        self.drivers: list[Any] = []

    async def open(self) -> None:
        """Start API server and kubelet."""
        url = await self._server.start(0)
        self.client = ApiClient(url, "t", clock=self.clock)
        for name in ("default",):
            await self.client.create("namespaces", {"metadata": {"name": name}})
        self.kubelet = self.new_kubelet()
        await self.kubelet.start()

    async def close(self) -> None:
        """End everything."""
        for driver in self.drivers:
            await driver.close()
        await self.kubelet.stop()
        await self.client.close()
        await self._server.stop()

    def new_kubelet(self) -> Kubelet:
        """Return another kubelet on the same directories."""
        return Kubelet(
            self.client,
            directories=self.directories,
            settings=KubeletSettings(gates=self.features),
            clock=self.clock,
            faults=self.faults,
        )

    async def restart_kubelet(self) -> None:
        """Put a new kubelet in the place of the old one."""
        await self.kubelet.stop()
        self.kubelet = self.new_kubelet()
        await self.kubelet.start()

    async def add(self, driver: Any) -> Any:
        """Start a driver that ends with the rig."""
        self.drivers.append(driver)
        await driver.start()
        await self.settle()
        return driver

    async def settle(self) -> None:
        """Let everything happen that needs no time."""
        await self.clock.settle()

    async def advance(self, seconds: float) -> None:
        """Let so much virtual time pass, whatever happens in it."""
        end = self.clock.monotonic() + seconds
        while self.clock.monotonic() < end:
            await self.clock.step(end - self.clock.monotonic())

    async def until(self, met: Callable[[], Awaitable[bool]], limit: float = 120.0) -> None:
        """Let time pass until something holds; fails after ``limit`` virtual seconds."""
        end = self.clock.monotonic() + limit
        await self.settle()
        while not await met():
            left = end - self.clock.monotonic()
            assert left > 0, f"not met within {limit:g} s"
            await self.clock.step(min(left, 1.0))

    async def phase(self, name: str, phase: str, limit: float = 120.0) -> dict[str, Any]:
        """Wait for a phase and return the Pod."""

        async def met() -> bool:
            return (await self.pod(name)).get("status", {}).get("phase") == phase

        await self.until(met, limit)
        return await self.pod(name)

    async def gone(self, name: str, limit: float = 120.0) -> None:
        """Wait until a Pod is deleted."""

        async def met() -> bool:
            try:
                await self.pod(name)
            except StatusError as error:
                return error.code == 404
            return False

        await self.until(met, limit)

    async def pod(self, name: str) -> dict[str, Any]:
        """Return a Pod."""
        return await self.client.get("pods", name, "default")

    async def create_pod(self, name: str, *, claim: str = "", **container: Any) -> dict[str, Any]:
        """Create a Pod on the node; its one container uses ``claim`` under the name ``gpu``."""
        spec: dict[str, Any] = {
            "nodeName": NODE,
            "restartPolicy": container.pop("restart_policy", "Never"),
            "containers": [{"name": "c", "image": "conformance.test/busybox:1", **container}],
        }
        if claim:
            spec["resourceClaims"] = [{"name": "gpu", "resourceClaimName": claim}]
            spec["containers"][0].setdefault("resources", {"claims": [{"name": "gpu"}]})
        return await self.client.create(
            "pods", {"metadata": {"name": name, "namespace": "default"}, "spec": spec}
        )

    async def create_claim(self, name: str, **metadata: Any) -> dict[str, Any]:
        """Create a claim with one request, ``gpu``."""
        request = {"name": "gpu", "exactly": {"deviceClassName": "gpu"}}
        return await self.client.create(
            "resourceclaims",
            {
                "metadata": {"name": name, "namespace": "default", **metadata},
                "spec": {"devices": {"requests": [request]}},
            },
        )

    async def allocate(
        self, claim: dict[str, Any], driver: str = "d.example.com", **extra: Any
    ) -> dict[str, Any]:
        """Allocate a device of a driver to the request ``gpu`` of a claim."""
        result = {"request": "gpu", "driver": driver, "pool": "pool", "device": "gpu-0", **extra}
        claim["status"] = {
            **claim.get("status", {}),
            "allocation": {"devices": {"results": [result]}},
        }
        return await self.client.update_status("resourceclaims", claim)

    async def reserve(self, claim: dict[str, Any], *pods: dict[str, Any]) -> dict[str, Any]:
        """Reserve a claim for Pods."""
        claim["status"]["reservedFor"] = [
            {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
            for pod in pods
        ]
        return await self.client.update_status("resourceclaims", claim)

    async def running(self, name: str, driver: str = "d.example.com") -> dict[str, Any]:
        """Return a running Pod with an allocated claim of its own, both called ``name``."""
        claim = await self.allocate(await self.create_claim(name), driver)
        pod = await self.create_pod(name, claim=name)
        await self.reserve(claim, pod)
        return await self.phase(name, "Running")


@contextlib.asynccontextmanager
async def rig(gates: dict[str, bool], faults: Faults) -> AsyncIterator[Rig]:
    # A short path: Unix sockets lie below it.
    root = Path(tempfile.mkdtemp(prefix="kl"))
    made = Rig(root, gates, faults)
    try:
        await made.open()
        try:
            yield made
        finally:
            await made.close()
    finally:
        shutil.rmtree(root)


def scenario(
    test: Callable[[Rig], Awaitable[None]] | None = None,
    *,
    gates: dict[str, bool] | None = None,
    faults: Faults = NONE,
) -> Any:
    """Run an asynchronous test on a rig of its own."""

    def decorate(body: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @functools.wraps(body)
        def run(**parameters: Any) -> None:
            async def whole() -> None:
                async with rig(gates or {}, faults) as made:
                    await body(made, **parameters)

            asyncio.run(whole())

        # pytest must not take the rig for a fixture.
        vars(run)["__signature__"] = _without_first(body)
        return run

    return decorate(test) if test is not None else decorate


def _without_first(body: Callable[..., Any]) -> Any:
    signature = inspect.signature(body)
    return signature.replace(parameters=list(signature.parameters.values())[1:])
