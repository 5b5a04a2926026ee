"""Tables of saboteurs are read, and may be absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import saboteurs
from conformance.catalogue.errors import CatalogueError

TABLE = """
faults:
- name: binds-at-once
  sentence: The scheduler binds without waiting.
  seam: scheduler.conditions_met
  breaks: [DRA-BND-01, DRA-BND-10]
  needs: anything that its own runner understands
"""


def test_rows_are_read(tmp_path: Path) -> None:
    (tmp_path / "binding.yaml").write_text(TABLE, "utf-8")

    (saboteur,) = saboteurs.scan(tmp_path)

    assert saboteur.name == "binds-at-once"
    assert saboteur.seam == "scheduler.conditions_met"
    assert saboteur.breaks == ("DRA-BND-01", "DRA-BND-10")


def test_no_folder_means_no_saboteurs(tmp_path: Path) -> None:
    assert saboteurs.scan(tmp_path / "none") == ()


def test_a_row_without_ids_is_refused(tmp_path: Path) -> None:
    text = TABLE.replace("  breaks: [DRA-BND-01, DRA-BND-10]\n", "")
    (tmp_path / "binding.yaml").write_text(text, "utf-8")

    with pytest.raises(CatalogueError, match=r"binding\.yaml:3:3: the field 'breaks' is missing"):
        saboteurs.scan(tmp_path)
