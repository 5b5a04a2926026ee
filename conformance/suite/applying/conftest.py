"""A claim with two allocated devices, and the managers that write to it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.ownership.managers import Managers
from conformance.harness.world import World

#: A driver's own clock plays no part in a check.
_STAMP = "2026-01-01T00:00:00Z"


class Applied:
    """The claim of a check, and what drivers say of its devices."""

    def __init__(self, world: World, flow: Any) -> None:
        self.world = world
        flow.claim(flow.exactly(count=2))
        results = [
            {"request": "device", **self.named(device)} for device in ("device-1", "device-2")
        ]
        allocated = world.claims.write_status("claim", allocation={"devices": {"results": results}})
        self.claim = Managers(world.api, allocated)

    def named(self, device: str) -> dict[str, Any]:
        """Return what names a device of the world's pool."""
        return {"driver": self.world.driver, "pool": self.world.pool, "device": device}

    def key(self, device: str) -> str:
        """Return the element of a path that stands for a device."""
        return f'[device="{device}",driver="{self.world.driver}",pool="{self.world.pool}"]'

    def entry(self, device: str, *conditions: tuple[str, str], **more: Any) -> dict[str, Any]:
        """Return an entry of status.devices with conditions of a type and a status."""
        rows = [
            {
                "type": kind,
                "status": status,
                "reason": "Set",
                "message": "",
                "lastTransitionTime": _STAMP,
            }
            for kind, status in conditions
        ]
        return {**self.named(device), **({"conditions": rows} if rows else {}), **more}

    def apply(self, manager: str, *entries: dict[str, Any], force: bool = False) -> dict[str, Any]:
        """Apply entries of status.devices in a manager's name; raises ``StatusError``."""
        body = {"status": {"devices": list(entries)}}
        return self.claim.apply(manager, body, subresource="status", force=force)

    def devices(self) -> list[str]:
        """Return the devices that have an entry now, in order of their names."""
        entries = self.claim.read()["status"].get("devices") or []
        return sorted(entry["device"] for entry in entries)

    def conditions(self, device: str) -> dict[str, str]:
        """Return the conditions of a device by type."""
        entries = self.claim.read()["status"].get("devices") or []
        rows = [entry.get("conditions") or [] for entry in entries if entry["device"] == device]
        return {row["type"]: row["status"] for row in rows[0]} if rows else {}


@pytest.fixture
def applied(world: World, flow: Any) -> Applied:
    """Return a claim with two allocated devices."""
    return Applied(world, flow)
