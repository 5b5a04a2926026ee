"""The catalogue as the header of a journal carries it, so that a report needs nothing else."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

import conformance
from conformance.catalogue.model import Catalogue, Requirement
from conformance.evidence.record import Clause, Header, Target
from conformance.harness.target import Description
from conformance.plugin.settings import Settings
from conformance.reference.faults import registry


def header(
    settings: Settings,
    description: Description,
    catalogue: Catalogue,
    selected: Collection[str],
    seed: int,
) -> Header:
    """Return the header of a run."""
    breaks = _saboteurs()
    facts = {"image": settings.image}
    driver = settings.target.driver
    if driver.name:
        # Whoever is judged gives the report its name: here a driver, not where it ran.
        facts["device class"] = driver.device_class
        facts["runs on"] = description.name
    if settings.target.faults:
        facts["faults"] = ", ".join(settings.target.faults)
    return Header(
        tool_version=conformance.__version__,
        run_id=settings.run,
        target=Target(
            name=f"DRA driver {driver.name}" if driver.name else description.name,
            kind=description.kind,
            kubernetes_version=description.kubernetes_version,
            server=description.server,
            facts=facts,
        ),
        started=now(),
        command=tuple(sys.argv),
        feature_gates=dict(description.gates),
        profiles=settings.profiles,
        seed=seed,
        max_wait=settings.max_wait,
        clauses=tuple(
            _clause(catalogue, one, breaks, selected) for one in catalogue.requirements.values()
        ),
        profile_sentences={name: one.sentence for name, one in catalogue.profiles.items()},
        features={
            name: _feature(catalogue, name, description.kubernetes_version)
            for name in catalogue.features
        },
    )


def now() -> str:
    """Return the current instant in ISO 8601, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _clause(
    catalogue: Catalogue,
    one: Requirement,
    breaks: Mapping[str, tuple[str, ...]],
    selected: Collection[str],
) -> Clause:
    gap = catalogue.gaps.get(one.id)
    return Clause(
        id=one.id,
        level=one.level.value,
        role=one.role.value,
        statement=one.statement,
        source=f"{one.source.document}, {one.source.section}",
        feature=one.feature or "",
        profiles=catalogue.profiles_of(one),
        check="" if one.check.value == "none" else one.check.value,
        gap=gap.reason if gap else "",
        gap_kind=gap.kind.value if gap else "",
        saboteurs=breaks.get(one.id, ()),
        note=one.note or "",
        selected=one.id in selected,
    )


def _feature(catalogue: Catalogue, name: str, version: str) -> str:
    stage = catalogue.stage(name, version).stage.value
    return f"{catalogue.feature(name).sentence} ({stage} in {version})"


def _saboteurs() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for fault in registry.load().values():
        for one in fault.breaks:
            found.setdefault(one, []).append(fault.name)
    return {one: tuple(names) for one, names in found.items()}
