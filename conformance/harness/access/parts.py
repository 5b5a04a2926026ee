"""The parts of one claim's status, written by whoever it is asked for."""

from __future__ import annotations

from typing import Any

import attrs

from conformance.harness.claims import CLAIMS
from conformance.harness.client import Api
from conformance.harness.world import World
from conformance.kube.objects import Object


@attrs.frozen(kw_only=True)
class Parts:
    """Writes the status of the world's claim; ``node`` is where it is allocated."""

    world: World = attrs.field(kw_only=False)
    node: str
    name: str = "claim"

    def claim(self) -> Object:
        """Return the claim as it is."""
        return self.world.claims.get(self.name)

    def allocate(self, *, node: str | None = None) -> None:
        """Allocate one device as the administrator, for a node or, if empty, for no single one."""
        where = self.node if node is None else node
        allocation: Object = {"devices": {"results": [{"request": "device", **self._device()}]}}
        if where:
            field = {"key": "metadata.name", "operator": "In", "values": [where]}
            allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
        # An allocation does not change: it is taken away before there is another one.
        self.world.claims.write_status(self.name, allocation=None)
        self.world.claims.write_status(self.name, allocation=allocation)

    def report(self, api: Api, *, verb: str = "update") -> None:
        """Report about the device; raises ``StatusError``."""
        self._write(api, {"devices": [self._device()]}, verb)

    def reserve(self, api: Api) -> None:
        """Reserve the claim for some Pod; raises ``StatusError``."""
        consumer = {"resource": "pods", "name": "pod", "uid": "0000"}
        self._write(api, {"reservedFor": [consumer]}, "update")

    def deallocate(self, api: Api) -> None:
        """Take the allocation away; raises ``StatusError``."""
        self._write(api, {"allocation": None}, "update")

    def _device(self) -> dict[str, Any]:
        return {"driver": self.world.driver, "pool": self.world.pool, "device": "device-1"}

    def _write(self, api: Api, status: Object, verb: str) -> None:
        where = self.world.namespace
        if verb == "patch":
            api.patch(CLAIMS, self.name, {"status": status}, where, subresource="status")
            return
        claim = self.claim()
        claim["status"] = {**(claim.get("status") or {}), **status}
        api.update(CLAIMS, claim, where, subresource="status")
