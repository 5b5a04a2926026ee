"""Read system profiles."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml

from conformance.policy.profiles.model import Caveat, Component, System

HERE = Path(__file__).parent


@functools.cache
def systems() -> tuple[System, ...]:
    """Return all systems, by name."""
    return tuple(load(path) for path in sorted(HERE.glob("*.yaml")))


def load(path: Path) -> System:
    """Return the system of a file, whose shape the schema says; raises ``KeyError``."""
    row: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return System(
        name=row["system"],
        title=row["title"],
        source=row["source"],
        drivers=tuple(row["drivers"]),
        classes=tuple(row["classes"]),
        optional_classes=tuple(row.get("optional_classes", ())),
        attributes=row["attributes"],
        capacities=tuple(row.get("capacities", ())),
        components=tuple(_component(one) for one in row["components"]),
        plugin_resources=tuple(row.get("plugin_resources", ())),
        caveats=tuple(_caveat(one) for one in row["caveats"]),
    )


def _component(row: dict[str, Any]) -> Component:
    return Component(
        kind=row["kind"],
        sentence=row["sentence"],
        image=row["image"],
        optional=row.get("optional", False),
    )


def _caveat(row: dict[str, Any]) -> Caveat:
    return Caveat(
        sentence=row["sentence"],
        requirement=row.get("requirement"),
        without_slices_of=row.get("without_slices_of"),
    )
