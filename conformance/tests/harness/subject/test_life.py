"""A Pod is started when the kubelet knows the driver, and not a moment before."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.errors import Undecided, Violation
from conformance.harness.kubeletside import registration
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life

ACCESS = SimpleNamespace(name="node-1", registrar_dir=Path("/registrar"))
PUBLISHED = SimpleNamespace(devices=("device",), slices=("slice",))


class Driver:
    """A driver of which only this is asked."""

    name = "driver.example"
    node = "node-1"

    def __init__(self) -> None:
        self.broken: dict[str, Violation] = {}
        self.reached: set[str] = set()

    def ended(self) -> str:
        return ""


class World:
    """A world with one kubelet whose directory is reached, and in which nobody waits."""

    def __init__(self) -> None:
        time = SimpleNamespace(virtual=False, pass_=self._pass)
        self.cluster = SimpleNamespace(node_access=lambda: [ACCESS], time=time)
        self.passed: list[float] = []

    def _pass(self, seconds: float) -> None:
        self.passed.append(seconds)

    def note(self, exchange: Any) -> None:
        raise AssertionError(exchange)

    def until(self, what: str, probe: Any, *, bound: str) -> Any:
        return probe()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(inventory, "read", lambda *_: PUBLISHED)
    monkeypatch.setattr(registration, "age", lambda _: 0.5)
    return World()


def test_a_kubelet_has_a_moment_to_notice(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "find", lambda *_: SimpleNamespace(name="driver.example"))

    Life(cast("Any", world), cast("Any", Driver())).ready()

    assert world.passed == [1.0]


def test_who_never_registers_is_not_judged_by_pods(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object) -> None:
        raise Violation("a driver", observed="none")

    monkeypatch.setattr(registration, "find", nobody)

    with pytest.raises(Undecided, match="since the driver does not register"):
        Life(cast("Any", world), cast("Any", Driver())).ready()
