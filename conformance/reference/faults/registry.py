"""Join the fault tables with the saboteurs that commit them."""

from __future__ import annotations

import copy
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
        (
            entry
            for entry in resources.files("conformance.reference.faults").iterdir()
            if entry.name.endswith(".yaml")
        ),
        key=lambda entry: entry.name,
    )
    for table in tables:
        content = yaml.load(table.read_text("utf-8"), yaml.CSafeLoader)
        group = table.name.removesuffix(".yaml") if content.get("independent") else ""
        for row in content["faults"]:
            fault = Fault(
                name=row["name"],
                sentence=row["sentence"],
                seam=row["seam"],
                breaks=tuple(row["breaks"]),
                needs=tuple(row.get("needs", ())),
                version=row.get("version", ""),
                group="" if row.get("alone") or "version" in row else group,
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
    names = tuple(names)
    for name in names:
        if name not in known:
            raise UnknownFault(f"no fault is called {name!r}")
    for name in _with_needs(names, known):
        seams.setdefault(known[name].seam, []).append(copy.deepcopy(SABOTEURS[name]))
    return Faults(seams)


def _with_needs(names: Iterable[str], known: Mapping[str, Fault]) -> list[str]:
    """Return the faults and those without which they could not be committed, each once."""
    every = [one for name in names for one in (name, *known[name].needs)]
    return list(dict.fromkeys(every))


__all__ = ["Fault", "Faults", "UnknownFault", "activate", "load"]
