"""Every public report about drivers is found by a requirement, or the reason stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import loading, proofs, schema
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.fieldreports import page, table
from conformance.catalogue.fieldreports.table import FieldReport

LAW = loading.load()
ROWS = table.load()
PROVED = proofs.collect()

#: The reports of each class that are known, by number.
KNOWN = {
    "A": (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26),
    "B": (
        *(1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34),
        *(35, 37, 38, 40, 41, 43, 44, 46),
    ),
    "C": (1, 2, 4, 5, 7, 8, 10, 11, 13, 14),
    "D": (1, 2, 4, 5, 7, 8, 10),
    "E": (1, 2, 4, 5),
    "F": (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17),
}


def test_no_report_is_missing() -> None:
    expected = [f"{letter}{number}" for letter, numbers in KNOWN.items() for number in numbers]

    assert [one.id for one in ROWS] == expected


def test_the_table_obeys_its_schema() -> None:
    assert not list(schema.validate(table.FILE, "reports.yaml"))


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one.id)
def test_ids_exist_and_are_judged(one: FieldReport) -> None:
    assert bool(one.requirements) != bool(one.reason)
    for name in one.requirements:
        assert PROVED.checks_of(name) or PROVED.policies_of(name), LAW.requirement(name)


def test_the_page_is_what_the_table_says() -> None:
    committed = Path(__file__).parents[3] / "docs" / "field-reports.md"

    assert committed.read_text("utf-8") == page.page(ROWS, LAW, PROVED)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("{id: A1, reference: somewhere}", id="neither"),
        pytest.param("{id: A1, reference: some, requirements: [DRA-DRV-01], reason: x}", id="both"),
    ],
)
def test_a_report_is_found_or_has_a_reason(tmp_path: Path, row: str) -> None:
    path = tmp_path / "reports.yaml"
    path.write_text(f"reports:\n- {row}\n", "utf-8")

    with pytest.raises(CatalogueError, match="requirements, or a reason"):
        table.load(path)
