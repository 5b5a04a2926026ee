"""Each fault makes exactly the requirements fail that its row names, and no others."""

from __future__ import annotations

import itertools
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

pytestmark = pytest.mark.faults

ROWS = registry.load()

#: Areas whose checks see the same component do not see each other's faults by design; every
#: fault is run against the areas of the requirements that it names.
FAULTS = sorted(name for name, fault in ROWS.items() if not fault.group)


def together() -> Iterator[Any]:
    """Yield the rounds of each table of independent faults."""
    rows = sorted((fault.group, fault.name) for fault in ROWS.values() if fault.group)
    for group, members in itertools.groupby(rows, key=lambda row: row[0]):
        for number, names in enumerate(rounds([name for _, name in members]), start=1):
            yield pytest.param(names, id=f"{group}, round {number}")


def broken_by(faults: Iterable[str]) -> set[str]:
    return {requirement for fault in faults for requirement in ROWS[fault].breaks}


def areas_of(*faults: str) -> list[str]:
    """Return the packages of the suite that hold the requirements which faults break."""
    broken = broken_by(faults)
    modules = {one.module for one in checks.scan(SUITE) if broken & set(one.requirements)}
    return sorted({module.rpartition(".")[0] for module in modules})


def failed(records: list[CheckRecord]) -> set[str]:
    accused = [one for one in records if one.outcome is Outcome.FAILED]
    return {requirement for one in accused for requirement in one.requirements}


def errors(records: list[CheckRecord]) -> dict[str, str]:
    return {one.check: one.message for one in records if one.outcome is Outcome.ERRORED}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed_by_exactly_what_it_breaks(fault: str) -> None:
    records = run(areas_of(fault), f"--dra-fault={fault}", "--dra-seed=1")

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
