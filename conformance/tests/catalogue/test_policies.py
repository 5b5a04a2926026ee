"""Lint holds policies and law together: ids in both directions, and what a policy may judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import policies
from conformance.catalogue.errors import CatalogueError
from conformance.tests.catalogue.test_lint import House, house

__all__ = ["house"]


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (
            "DRA-HLT-03",
            "law/gaps.yaml:3:7: the gap is stale: the policy fifth-thing-is-done judges DRA-HLT-03",
        ),
        (
            "DRA-HTL-02",
            (
                "rules/practice.yaml:3:7: fifth-thing-is-done: no requirement is called "
                "'DRA-HTL-02'; did you mean 'DRA-HLT-02'?"
            ),
        ),
        (
            "DRA-HLT-01",
            (
                "rules/practice.yaml:3:7: fifth-thing-is-done: DRA-HLT-01 is not judged by "
                "policies: its check is test"
            ),
        ),
    ],
    ids=["gap", "unknown", "test"],
)
def test_a_policy_that_cites_wrongly_is_found(house: House, cited: str, expected: str) -> None:
    house.replace("rules/practice.yaml", "DRA-ADM-05", cited)

    assert expected in house.findings()


def test_a_requirement_without_its_policy_is_found(house: House) -> None:
    (house.folder / "rules" / "practice.yaml").unlink()

    assert house.findings() == [
        "law/requirements/health.yaml:33:7: DRA-ADM-05 has neither a check, a policy nor a gap"
    ]


def test_a_row_without_an_id_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("area: a\npolicies:\n- message: None.\n", "utf-8")

    with pytest.raises(CatalogueError, match="the field 'id' is missing"):
        policies.scan(tmp_path)
