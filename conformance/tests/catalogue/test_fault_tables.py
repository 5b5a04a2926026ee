"""The tables of faults are held to their schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import schema
from conformance.tests.catalogue.test_lint import FAULTS


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("faults:", "faults:", ""),
        ("nothing.", "nothing", "4:13: 'The kubelet does nothing' does not match"),
        ("seam: kubelet.work", "seam: kubelet", "5:9: 'kubelet' does not match"),
        ("[DRA-HLT-01]", "[]", "6:11: [] should be non-empty"),
        ("  seam", "  alone: false\n  seam", "5:10: True was expected"),
    ],
    ids=["in order", "no sentence", "no seam", "breaks nothing", "not alone"],
)
def test_what_is_wrong_with_a_table_is_found_where_it_is(
    tmp_path: Path, old: str, new: str, finding: str
) -> None:
    path = tmp_path / "area.yaml"
    path.write_text(FAULTS.replace(old, new), "utf-8")

    found = [str(one) for one in schema.validate(path, "area.yaml")]

    assert len(found) == bool(finding)
    assert all(one.startswith(f"area.yaml:{finding}") for one in found)
