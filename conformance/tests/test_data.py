"""Fixtures and schemas are found in a checkout and in a wheel."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from conformance import data


def test_checkout_folders_stand_beside_the_package() -> None:
    repository = Path(data.__file__).parents[1]

    assert data.fixtures() == repository / "fixtures"
    assert data.schemas("catalogue", "gaps.schema.json").is_file()


@pytest.mark.parametrize("neighbour", [False, True], ids=["alone", "beside foreign folders"])
def test_wheel_folders_stand_inside_the_package(tmp_path: Path, neighbour: bool) -> None:
    package = tmp_path / "conformance"
    (package / "_data" / "fixtures").mkdir(parents=True)
    shutil.copy(data.__file__, package / "data.py")
    if neighbour:
        (tmp_path / "fixtures").mkdir()

    spec = importlib.util.spec_from_file_location("installed_data", package / "data.py")
    assert spec is not None
    assert spec.loader is not None
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)

    assert installed.fixtures("worlds", "a.yaml") == package / "_data/fixtures/worlds/a.yaml"
    assert installed.schemas("x") == package / "_data" / "schemas" / "x"
