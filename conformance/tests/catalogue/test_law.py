"""The law of this program is whole, well-formed and self-consistent."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from string import ascii_lowercase

import pytest

from conformance.catalogue import loading, proofs, schema
from conformance.catalogue.lint import features, findings, profiles, sources
from conformance.catalogue.model import CheckKind, Level, Maturity, Requirement
from conformance.catalogue.proofs import Proofs
from conformance.catalogue.reading import named

LAW = loading.load()
REQUIREMENTS = list(LAW.requirements.values())
NOTHING = Proofs(checks=(), saboteurs=())

#: How many behaviours the documents state, by the letters of their ids; DRV is KEP-5970's
#: seven and two more, EXT is read from KEP-5004 and what 1.37.2 makes of it, PUB, DST, CDI, DHL,
#: DLC, DIN, DMD, DMT, DRT, DEP, MAN and AUT are read from further documents and from public
#: reports, API, VER, SEL and those that begin with V from the API's own documents.
BEHAVIOURS = {
    "WF": 27,
    "PRE": 12,
    "PMP": 10,
    "BND": 15,
    "NAR": 20,
    "STA": 8,
    "EXT": 28,
    "POR": 1,
    "HLT": 22,
    "PST": 25,
    "PGR": 62,
    "MET": 34,
    "ADM": 22,
    "FEA": 10,
    "ECO": 17,
    "DRV": 11,
    "PUB": 14,
    "DST": 33,
    "CDI": 22,
    "DHL": 11,
    "DLC": 30,
    "DIN": 14,
    "DMD": 4,
    "DMT": 15,
    "DRT": 3,
    "DEP": 24,
    "MAN": 14,
    "RCC": 25,
    "TNT": 33,
    "KUB": 43,
    "SSA": 12,
    "DEL": 7,
    "MTR": 10,
    "AUT": 48,
    "QUO": 11,
    "API": 25,
    "VER": 17,
    "REQ": 37,
    "VSL": 36,
    "VDV": 35,
    "VCP": 18,
    "VRQ": 32,
    "VCL": 20,
    "VST": 41,
    "VAD": 24,
    "VAL": 23,
    "VIN": 36,
    "VAT": 19,
    "POD": 36,
    "VPG": 18,
    "SEL": 55,
    "WAI": 11,
    "ALT": 12,
    "SHD": 31,
    "ALC": 45,
}

#: Numbers that were given and taken back before a requirement with them was published.
RETIRED = {"DRA-DLC-26"}

#: Ids that were published once. Rows may be added, never removed: reports and waivers name them.
PUBLISHED = Path(__file__).with_name("ids.txt").read_text("utf-8").split()


@pytest.mark.parametrize("letters", BEHAVIOURS)
def test_every_behaviour_of_the_documents_has_a_requirement(letters: str) -> None:
    families = {one.family for one in REQUIREMENTS if one.id.startswith(f"DRA-{letters}-")}

    expected = {f"DRA-{letters}-{number:02}" for number in range(1, BEHAVIOURS[letters] + 1)}
    assert families == expected - RETIRED


def test_no_behaviour_comes_from_nowhere() -> None:
    letters = {one.id.split("-")[1] for one in REQUIREMENTS}

    assert letters == set(BEHAVIOURS)


def test_published_ids_are_eternal() -> None:
    assert sorted(LAW.requirements) == PUBLISHED


def test_a_split_requirement_has_at_least_two_parts_in_order() -> None:
    parts: dict[str, str] = {}
    for one in REQUIREMENTS:
        if one.id != one.family:
            parts[one.family] = parts.get(one.family, "") + one.id[-1]

    assert parts
    assert all(
        len(letters) > 1 and ascii_lowercase.startswith(letters) for letters in parts.values()
    )
    assert not parts.keys() & LAW.requirements.keys()


@pytest.mark.parametrize("path", loading.files(), ids=lambda path: path.stem)
def test_file_obeys_its_schema(path: Path) -> None:
    assert not list(schema.validate(path, named(path, loading.LAW)))


@pytest.mark.parametrize("one", REQUIREMENTS, ids=lambda one: one.id)
def test_statement_has_one_obligation_word_and_it_is_that_of_its_level(one: Requirement) -> None:
    words = re.findall(r"\b(?:MUST|SHOULD|MAY|SHALL|REQUIRED)\b", one.statement)

    assert words == ([] if one.level is Level.INFO else [one.level.value])
    assert one.statement.count(". ") == 0, "one sentence"


def test_facts_have_no_check_and_at_most_a_policy_that_advises() -> None:
    facts = [one for one in REQUIREMENTS if one.level is Level.INFO]

    assert facts
    assert {one.check for one in facts} == {CheckKind.NONE, CheckKind.POLICY}


def test_every_must_can_be_judged_somehow() -> None:
    assert not [o.id for o in REQUIREMENTS if o.level is Level.MUST and o.check is CheckKind.NONE]


@pytest.mark.parametrize("rule", [sources, profiles, features], ids=lambda rule: rule.__name__)
def test_law_agrees_with_itself(rule: object) -> None:
    assert callable(rule)
    assert not [str(finding) for finding in rule(LAW, NOTHING)]


def test_suite_names_only_what_the_law_holds() -> None:
    found = [str(one) for one in findings(loading.LAW, proofs.SUITE, proofs.FAULTS)]

    # What the suite still owes is counted by the gap list; here only false names accuse.
    assert not [line for line in found if "is called" in line or "is stale" in line]


def test_statements_are_not_repeated() -> None:
    counted = Counter(one.statement for one in REQUIREMENTS)

    assert not [statement for statement, times in counted.items() if times > 1]


def test_kep_5970_has_seven_rows_and_each_is_judged() -> None:
    table = LAW.profiles["driver/core"].kep5970

    assert len(table) == 7
    assert all(table.values())


@pytest.mark.parametrize(
    ("feature", "stages"),
    [
        ("core", "ga ga ga ga"),
        ("DRADeviceBindingConditions", "alpha alpha beta beta"),
        ("DRAResourceClaimDeviceStatus", "beta beta beta ga"),
        ("ResourceHealthStatus", "alpha alpha beta beta"),
        ("ResourceHealthStatusMessage", "absent absent beta beta"),
        ("DRAResourcePoolStatus", "absent absent alpha alpha"),
        ("DRAPartitionableDevicesType", "absent absent absent alpha"),
        ("DRANodeAllocatableResources", "absent absent alpha alpha"),
        ("DRAPrioritizedList", "beta beta ga ga"),
        ("DRADeviceTaints", "alpha alpha beta ga"),
        ("DeviceMetadata", "absent absent alpha beta"),
    ],
)
def test_stages_by_minor(feature: str, stages: str) -> None:
    found = [LAW.stage(feature, minor).stage.value for minor in ("1.34", "1.35", "1.36", "1.37")]

    assert found == stages.split()


def test_alpha_is_off_ga_is_on_and_absent_is_off() -> None:
    rows = [row for feature in LAW.features.values() for row in feature.stages.values()]

    assert not any(row.default for row in rows if row.stage in (Maturity.ALPHA, Maturity.ABSENT))
    assert all(row.default for row in rows if row.stage is Maturity.GA)
    assert not any(row.locked for row in rows if row.stage is not Maturity.GA)


def test_gates_that_are_off_by_default_in_1_37() -> None:
    gates = LAW.gates("v1.37.2")

    assert {name for name, default in gates.items() if not default} == {
        "CompositePodGroup",
        "DRADerivedAttributes",
        "DRADeviceCompatibilityGroups",
        "DRAFractionalCapacityRange",
        "DRAListTypeAttributes",
        "DRANodeAllocatableResources",
        "DRAOptionalNodeOperations",
        "DRAPartitionableDevicesType",
        "DRAResourcePoolStatus",
        "DRAWorkloadResourceClaims",
        "GenericWorkload",
        "PodGroupPreemptionPolicy",
    }


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("binding-timeout-default", 600),
        ("health-timeout-default", 30),
        ("pool-status-removed", 3600),
        ("stays", 1),
    ],
)
def test_waits_are_longer_than_what_they_wait_for(name: str, least: float) -> None:
    assert LAW.wait(name).seconds > least
