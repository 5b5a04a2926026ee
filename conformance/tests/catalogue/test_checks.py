"""Checks are found by reading, wherever their markers stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import checks
from conformance.catalogue.errors import CatalogueError

MODULE = '''
import pytest

@pytest.mark.requirement("DRA-BND-01", "DRA-BND-02")
@pytest.mark.needs("kubelet")
def test_two_ids(world):
    """Two ids in one marker.

    More words.
    """

@pytest.mark.requirement("DRA-BND-03a")
@pytest.mark.requirement("DRA-BND-03b")
def test_two_markers(world):
    pass

@pytest.mark.parametrize(
    "row", [pytest.param(1, marks=pytest.mark.requirement("DRA-BND-04"), id="one")]
)
def test_rows(row):
    pass

@pytest.mark.requirement("DRA-BND-05")
class TestGrouped:
    def test_of_the_class(self):
        pass

    @pytest.mark.requirement("DRA-BND-06")
    async def test_of_both(self):
        pass

def test_without_marker():
    pass

@pytest.mark.requirement("DRA-BND-07")
def helper():
    pass
'''


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite" / "binding"
    folder.mkdir(parents=True)
    (folder / "test_waiting.py").write_text(MODULE, "utf-8")
    return tmp_path / "suite"


def test_every_check_is_found_with_its_ids(suite: Path) -> None:
    found = {check.nodeid: check.requirements for check in checks.scan(suite)}

    file = "suite/binding/test_waiting.py"
    assert found == {
        f"{file}::test_two_ids": ("DRA-BND-01", "DRA-BND-02"),
        f"{file}::test_two_markers": ("DRA-BND-03a", "DRA-BND-03b"),
        f"{file}::test_rows": ("DRA-BND-04",),
        f"{file}::TestGrouped::test_of_the_class": ("DRA-BND-05",),
        f"{file}::TestGrouped::test_of_both": ("DRA-BND-05", "DRA-BND-06"),
    }


def test_a_check_says_where_it_is_and_what_it_proves(suite: Path) -> None:
    first = checks.scan(suite)[0]

    assert first.module == "suite.binding.test_waiting"
    assert first.function == "test_two_ids"
    assert first.line == 6
    assert first.docstring.startswith("Two ids in one marker.\n")
    assert [str(marker.position) for marker in first.markers] == [
        "suite/binding/test_waiting.py:4:26",
        "suite/binding/test_waiting.py:4:40",
    ]


def test_paths_start_where_modules_are_imported(suite: Path) -> None:
    (suite / "__init__.py").touch()
    (suite / "binding" / "__init__.py").touch()
    (suite.parent / "__init__.py").touch()

    first = checks.scan(suite)[0]

    assert first.nodeid.startswith(f"{suite.parent.name}/suite/binding/test_waiting.py::")


def test_the_mark_of_a_module_counts_for_all_of_its_tests(tmp_path: Path) -> None:
    text = (
        "from pytest import mark\n"
        'pytestmark = [mark.requirement("DRA-BND-01"), mark.slow]\n'
        "def test_one(): pass\n"
        "def test_two(): pass\n"
    )
    (tmp_path / "test_module.py").write_text(text, "utf-8")

    assert [check.requirements for check in checks.scan(tmp_path)] == [("DRA-BND-01",)] * 2


def test_an_id_that_is_no_literal_is_no_id(tmp_path: Path) -> None:
    text = 'import pytest\n@pytest.mark.requirement("DRA-" + "BND-01")\ndef test_one(): pass\n'
    (tmp_path / "test_module.py").write_text(text, "utf-8")

    (check,) = checks.scan(tmp_path)

    assert check.requirements == ()
    assert [marker.id for marker in check.markers] == [None]


def test_a_module_that_is_not_python_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("def test_one(:\n    pass\n", "utf-8")

    with pytest.raises(CatalogueError, match=r"test_broken\.py:1:14: is not Python"):
        checks.scan(tmp_path)
