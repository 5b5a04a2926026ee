"""Each fault makes exactly the requirements fail that its row names, and no others."""

from __future__ import annotations

import pytest

from conformance.catalogue import checks
from conformance.evidence.record import CheckRecord
from conformance.evidence.verdict import Outcome
from conformance.plugin.hooks import SUITE
from conformance.reference.faults import registry
from conformance.reference.faults.saboteurs import SABOTEURS
from conformance.tests.faults.running import run

pytestmark = pytest.mark.faults

#: Areas whose checks see the same component do not see each other's faults by design; every
#: fault is run against the areas of the requirements that it names.
FAULTS = sorted(registry.load())


def areas_of(fault: str) -> list[str]:
    """Return the packages of the suite that hold the requirements which a fault breaks."""
    broken = set(registry.load()[fault].breaks)
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
    assert failed(records) == set(registry.load()[fault].breaks)


def test_every_fault_has_a_saboteur_and_every_saboteur_a_row() -> None:
    assert set(registry.load()) == set(SABOTEURS)
