"""Each fault makes exactly the requirements fail that its row names, and no others."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from conformance.catalogue import checks
from conformance.evidence.record import CheckRecord
from conformance.evidence.verdict import Outcome
from conformance.plugin.hooks import SUITE
from conformance.reference.faults import registry
from conformance.reference.faults.saboteurs import SABOTEURS
from conformance.tests.faults.rounds import rounds
from conformance.tests.faults.running import run

#: A test here is a run of whole areas of the suite: it needs more than the 120 s of one test.
pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]

ROWS = registry.load()
CHECKS = checks.scan(SUITE)

#: Areas whose checks see the same component do not see each other's faults by design; every
#: fault is run against the areas of the requirements that it names.
FAULTS = sorted(name for name, fault in ROWS.items() if not fault.group)

#: Of an area with more test functions than this, a fault is run against the modules that hold
#: what it names: the matrix would take an hour otherwise. FAULTS_WHOLE_AREAS=1 runs all of it.
_LARGE = 34
_WHOLE_AREAS = os.environ.get("FAULTS_WHOLE_AREAS") == "1"


def together() -> Iterator[Any]:
    """Yield the rounds of each table of independent faults."""
    rows = sorted((fault.group, fault.name) for fault in ROWS.values() if fault.group)
    for group, members in itertools.groupby(rows, key=lambda row: row[0]):
        for number, names in enumerate(rounds([name for _, name in members]), start=1):
            yield pytest.param(names, id=f"{group}, round {number}")


def broken_by(faults: Iterable[str]) -> set[str]:
    return {requirement for fault in faults for requirement in ROWS[fault].breaks}


def areas_of(*faults: str) -> list[str]:
    """Return where the suite judges the requirements that these faults break."""
    broken = broken_by(faults)
    modules = {one.module for one in CHECKS if broken & set(one.requirements)}
    return sorted({_area(module) for module in modules})


def _area(module: str) -> str:
    area = module.rpartition(".")[0]
    size = sum(one.module.rpartition(".")[0] == area for one in CHECKS)
    return module if size > _LARGE and not _WHOLE_AREAS else area


def failed(records: list[CheckRecord]) -> set[str]:
    accused = [one for one in records if one.outcome is Outcome.FAILED]
    return {requirement for one in accused for requirement in one.requirements}


def errors(records: list[CheckRecord]) -> dict[str, str]:
    return {one.check: one.message for one in records if one.outcome is Outcome.ERRORED}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed_by_exactly_what_it_breaks(fault: str) -> None:
    version = ROWS[fault].version
    aged = [f"--dra-kubernetes-version={version}"] if version else []

    records = run(areas_of(fault), f"--dra-fault={fault}", *aged, "--dra-seed=1")

    assert errors(records) == {}
    assert failed(records) == broken_by([fault])


@pytest.mark.parametrize("faults", list(together()))
def test_independent_faults_are_told_apart(faults: list[str]) -> None:
    committed = [f"--dra-fault={fault}" for fault in faults]

    records = run(areas_of(*faults), *committed, "--dra-seed=1")

    assert errors(records) == {}
    assert failed(records) == broken_by(faults)


def test_every_fault_has_a_saboteur_and_every_saboteur_a_row() -> None:
    assert set(ROWS) == set(SABOTEURS)
