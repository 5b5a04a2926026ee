"""The kernel tells who writes into a file under its own name."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.harness.bench import writing
from conformance.harness.errors import HarnessError


def test_a_file_that_is_written_in_place_is_named(tmp_path: Path) -> None:
    with writing.watched(tmp_path) as watch:
        (tmp_path / "spec.json").write_text("{}", "utf-8")

        assert watch.names() == {"spec.json"}


def test_a_file_that_is_renamed_is_not(tmp_path: Path) -> None:
    with writing.watched(tmp_path) as watch:
        draft = tmp_path / ".draft"
        draft.write_text("{}", "utf-8")
        draft.rename(tmp_path / "spec.json")

        assert watch.names() == {".draft"}


def test_a_folder_that_is_not_there_is_our_trouble(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="can't be watched"), writing.watched(tmp_path / "none"):
        pass
