"""A malformed law is refused with file, line and column."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.catalogue import loading
from conformance.catalogue.errors import CatalogueError


@pytest.fixture
def law(tmp_path: Path) -> Path:
    folder = tmp_path / "law"
    shutil.copytree(loading.LAW, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "requirements/health.yaml",
            "  level: MAY\n",
            "  level: MIGHT\n",
            (
                "law/requirements/health.yaml:6:10: expected one of MUST, SHOULD, MAY, INFO, "
                "found 'MIGHT'"
            ),
        ),
        (
            "requirements/health.yaml",
            "  role: driver\n",
            "  rôle: driver\n",
            "law/requirements/health.yaml:7:3: unknown field 'rôle'; did you mean 'role'?",
        ),
        (
            "requirements/health.yaml",
            "- id: DRA-HLT-01\n",
            "- id: HLT-01\n",
            "law/requirements/health.yaml:5:7: expected an id such as DRA-BND-03, found 'HLT-01'",
        ),
        (
            "requirements/health.yaml",
            "area: health\n",
            "area: wealth\n",
            "law/requirements/health.yaml:3:7: the area of this file is 'health', not 'wealth'",
        ),
        (
            "waits.yaml",
            "  seconds: 5\n",
            "  seconds: five\n",
            "law/waits.yaml:6:12: expected a number, found 'five'",
        ),
        (
            "gaps.yaml",
            "  kind: later\n",
            "  kind: never\n",
            "expected one of later, not-testable, policy, found 'never'",
        ),
        (
            "features.yaml",
            '"1.34": {stage: ga',
            '"1.34": {stage: gamma',
            "expected one of absent, alpha, beta, ga, found 'gamma'",
        ),
    ],
)
def test_a_malformed_row_is_refused(
    law: Path, file: str, old: str, new: str, sentence: str
) -> None:
    path = law / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")

    with pytest.raises(CatalogueError) as caught:
        loading.load(law)

    assert sentence in str(caught.value)


def test_an_id_that_stands_twice_names_both_places(law: Path) -> None:
    path = law / "requirements" / "driver.yaml"
    path.write_text(path.read_text("utf-8").replace("DRA-DRV-02", "DRA-DRV-01", 1), "utf-8")

    with pytest.raises(CatalogueError) as caught:
        loading.load(law)

    message = str(caught.value)
    assert "the requirement 'DRA-DRV-01' stands already at law/requirements/driver.yaml:5:7" in (
        message
    )


def test_a_missing_file_is_named(law: Path) -> None:
    (law / "waits.yaml").unlink()

    with pytest.raises(CatalogueError, match=r"law/waits\.yaml:1:1: cannot be read"):
        loading.load(law)


def test_a_folder_without_requirements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="holds no requirements"):
        loading.load(tmp_path)


def test_the_law_is_read_once() -> None:
    assert loading.load() is loading.load()


def test_loading_leaves_the_schemas_alone() -> None:
    """Every command loads the law; the schema library alone would double that time."""
    code = "import sys, conformance.catalogue.loading as law; law.load(); print(*sys.modules)"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert "jsonschema" not in found.stdout.split()
