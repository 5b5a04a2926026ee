"""Join the fault tables with the saboteurs that commit them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from importlib import resources

import yaml

from conformance.reference.faults.saboteurs import SABOTEURS
from conformance.reference.faults.seams import Fault, Faults, Saboteur


class UnknownFault(ValueError):
    """A fault was asked for that no table holds."""


@functools.cache
def load() -> Mapping[str, Fault]:
    """Return every fault by name, read from the tables of this package."""
    rows: dict[str, Fault] = {}
    tables = sorted(
        (entry for entry in resources.files(__package__).iterdir() if entry.name.endswith(".yaml")),
        key=lambda entry: entry.name,
    )
    for table in tables:
        for row in yaml.load(table.read_text("utf-8"), yaml.CSafeLoader)["faults"]:
            fault = Fault(
                name=row["name"],
                sentence=row["sentence"],
                seam=row["seam"],
                breaks=tuple(row["breaks"]),
            )
            if fault.name in rows:
                raise ValueError(f"{table.name}: fault {fault.name} stands twice")
            rows[fault.name] = fault
    return rows


def activate(names: Iterable[str]) -> Faults:
    """Return the seams with these faults active.

    Raises ``UnknownFault`` for a name that no table holds.
    """
    seams: dict[str, list[Saboteur]] = {}
    known = load()
    for name in names:
        if name not in known:
            raise UnknownFault(f"no fault is called {name!r}")
        seams.setdefault(known[name].seam, []).append(SABOTEURS[name])
    return Faults(seams)


__all__ = ["Fault", "Faults", "UnknownFault", "activate", "load"]
