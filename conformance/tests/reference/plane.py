"""A control plane without nodes for the tests of the loops: real HTTP, virtual time.

API server, controllers and scheduler run; Nodes are bare objects and drivers are the slices
that a test publishes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Self

from conformance.dra.features import Features
from conformance.reference.apiserver.authentication.users import Known, administrator
from conformance.reference.apiserver.server import ApiServer
from conformance.reference.client.api import ApiClient
from conformance.reference.clock import VirtualClock
from conformance.reference.controllers.manager import ControllerManager
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.identity import Identity
from conformance.reference.scheduler.configuration import SchedulerOptions
from conformance.reference.scheduler.loop import Scheduler
from conformance.reference.store.memory import Store

Object = dict[str, Any]

DRIVER = "gpu.example.com"
CLASS = "gpu"
NAMESPACE = "default"


class Plane:
    """What the tests drive."""

    def __init__(
        self,
        *,
        gates: Mapping[str, bool] | None = None,
        timeout: float = 600.0,
        faults: Faults = NONE,
        seed: int = 0,
    ) -> None:
        self.clock = VirtualClock()
        features = Features(version="1.37", gates=dict(gates or {}))
        self.server = ApiServer(
            Store(),
            clock=self.clock,
            identity=Identity(seed),
            features=features,
            faults=faults,
            known=Known(tokens={"token": administrator("admin")}),
        )
        self._features = features
        self._faults = faults
        self._timeout = timeout
        self._clients: list[ApiClient] = []

    async def __aenter__(self) -> Self:
        self._url = await self.server.start()
        self.api = self._client()
        await self.api.create("namespaces", obj("v1", "Namespace", NAMESPACE))
        common = {"clock": self.clock, "features": self._features, "faults": self._faults}
        self.controllers = ControllerManager(self._client(), lambda _: self._client(), **common)
        options = SchedulerOptions(binding_timeout=self._timeout)
        self.scheduler = Scheduler(self._client(), options=options, **common)
        await self.controllers.start()
        await self.scheduler.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.scheduler.stop()
        await self.controllers.stop()
        for client in self._clients:
            await client.close()
        await self.server.stop()

    def _client(self) -> ApiClient:
        client = ApiClient(self._url, "token", clock=self.clock)
        self._clients.append(client)
        return client

    async def settle(self) -> None:
        """Let everything happen that needs no time, retries after conflicts included."""
        await self.pass_time(0.2)

    async def pass_time(self, seconds: float) -> None:
        """Let so many seconds pass."""
        end = self.clock.monotonic() + seconds
        while self.clock.monotonic() < end - 1e-9:
            await self.clock.step(end - self.clock.monotonic())

    # Objects.

    async def node(self, name: str, *, labels: Mapping[str, str] | None = None) -> None:
        """Create a node that has room."""
        node = obj("v1", "Node", name, labels={"kubernetes.io/hostname": name, **(labels or {})})
        node["status"] = {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "110"}}
        await self.api.create("nodes", node)
        node = await self.api.get("nodes", name)
        node["status"] = {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "110"}}
        await self.api.update_status("nodes", node)

    async def device_class(self, name: str = CLASS) -> None:
        """Create a class of all devices of the driver."""
        device_class = obj("resource.k8s.io/v1", "DeviceClass", name)
        device_class["spec"] = {
            "selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]
        }
        await self.api.create("deviceclasses", device_class)

    async def slice(self, node: str, *devices: Object | str, name: str = "", **spec: Any) -> None:
        """Publish devices; a plain name is a device without attributes."""
        made = obj("resource.k8s.io/v1", "ResourceSlice", name or f"slice-{node}")
        listed = [{"name": one} if isinstance(one, str) else one for one in devices]
        pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
        where = {} if "nodeSelector" in spec else {"nodeName": node}
        made["spec"] = {"driver": DRIVER, "pool": pool, "devices": listed, **where, **spec}
        await self.api.create("resourceslices", made)

    async def claim(self, name: str, *, device_class: str = CLASS) -> Object:
        """Create a claim for one device."""
        made = obj("resource.k8s.io/v1", "ResourceClaim", name, namespace=NAMESPACE)
        made["spec"] = claim_spec(device_class)
        return await self.api.create("resourceclaims", made)

    async def template(self, name: str = "template", *, device_class: str = CLASS) -> None:
        """Create a template of claims for one device."""
        made = obj("resource.k8s.io/v1", "ResourceClaimTemplate", name, namespace=NAMESPACE)
        made["spec"] = {"spec": claim_spec(device_class)}
        await self.api.create("resourceclaimtemplates", made)

    async def pod(
        self, name: str, *, claim: str | None = None, template: str | None = None, **spec: Any
    ) -> Object:
        """Create a Pod with one container, which uses the claim if there is one."""
        made = obj("v1", "Pod", name, namespace=NAMESPACE)
        entry: Object = {"name": "gpu"}
        if claim:
            entry["resourceClaimName"] = claim
        if template:
            entry["resourceClaimTemplateName"] = template
        container: Object = {"name": "main", "image": "conformance.test/busybox:1"}
        made["spec"] = {"containers": [container], **spec}
        if claim or template:
            container["resources"] = {"claims": [{"name": "gpu"}]}
            made["spec"]["resourceClaims"] = [entry]
        return await self.api.create("pods", made)

    async def finish(self, name: str, phase: str = "Succeeded") -> None:
        """Have a Pod run to its end, as its kubelet would report."""
        body = {"status": {"phase": phase}}
        await self.api.patch("pods", name, body, NAMESPACE, subresource="status")

    async def get_pod(self, name: str) -> Object:
        """Read a Pod."""
        return await self.api.get("pods", name, NAMESPACE)

    async def get_claim(self, name: str) -> Object:
        """Read a claim."""
        return await self.api.get("resourceclaims", name, NAMESPACE)

    async def claims(self) -> list[Object]:
        """Read every claim."""
        return (await self.api.list("resourceclaims", NAMESPACE))[0]

    async def report(self, claim: str, **conditions: str) -> None:
        """Report conditions of the claim's first device, as a driver would."""
        current = await self.get_claim(claim)
        result = current["status"]["allocation"]["devices"]["results"][0]
        current["status"]["devices"] = [
            {
                "driver": result["driver"],
                "pool": result["pool"],
                "device": result["device"],
                "conditions": [
                    {
                        "type": name,
                        "status": status,
                        "reason": "Test",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    }
                    for name, status in conditions.items()
                ],
            }
        ]
        await self.api.update_status("resourceclaims", current)


def obj(version: str, kind: str, name: str, **metadata: Any) -> Object:
    """Return the head of an object."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}


def claim_spec(device_class: str) -> Object:
    """Return the spec of a claim for one device."""
    request = {"name": "req", "exactly": {"deviceClassName": device_class}}
    return {"devices": {"requests": [request]}}


def waiting_device(name: str, **fields: Any) -> Object:
    """Return a device that must become ready before a Pod is bound."""
    return {
        "name": name,
        "bindingConditions": ["Ready"],
        "bindingFailureConditions": ["Broken"],
        **fields,
    }


def device_of(claim: Object) -> str | None:
    """Return the first device that is allocated to a claim."""
    allocation = claim.get("status", {}).get("allocation")
    return allocation["devices"]["results"][0]["device"] if allocation else None


def scheduled(pod: Object) -> Object:
    """Return the PodScheduled condition."""
    for condition in pod.get("status", {}).get("conditions") or []:
        if condition["type"] == "PodScheduled":
            return condition
    return {}


def run(scenario: Callable[[Plane], Awaitable[None]], **options: Any) -> None:
    """Run a scenario on a fresh plane, for at most half a minute of real time."""

    async def whole() -> None:
        async with Plane(**options) as plane:
            await scenario(plane)

    asyncio.run(asyncio.wait_for(whole(), 30))
