"""Alternatives for devices of the world's class."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.world import World


class Alternatives:
    """Devices of some kind, and requests that prefer one kind to another."""

    def __init__(self, world: World) -> None:
        self.world = world

    def device(self, name: str, kind: str, **attributes: Any) -> dict[str, Any]:
        """Return a device of a kind."""
        return {"name": name, "attributes": {"d.example/kind": {"string": kind}, **attributes}}

    def of(self, kind: str, **more: Any) -> dict[str, Any]:
        """Return an alternative for a device of a kind, named after it."""
        expression = f'device.attributes["d.example"].kind == "{kind}"'
        selectors = [{"cel": {"expression": expression}}]
        return {
            "name": kind,
            "deviceClassName": self.world.device_class,
            "selectors": selectors,
            **more,
        }

    def request(self, *alternatives: Any, name: str = "device") -> dict[str, Any]:
        """Return a request with these alternatives; a word is one of that kind."""
        rows = [self.of(one) if isinstance(one, str) else one for one in alternatives]
        return {"name": name, "firstAvailable": rows}


@pytest.fixture
def either(world: World) -> Alternatives:
    """Return what the check says about alternatives."""
    return Alternatives(world)
