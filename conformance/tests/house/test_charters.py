"""Every package has a charter, every module a docstring, and nothing imports late."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import conformance

PACKAGE = Path(conformance.__file__).parent

#: Folder and module names that say nothing about what lives inside.
DRAWERS = {"utils", "util", "helpers", "helper", "common", "core", "base", "misc", "models", "lib"}


def sources() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "wire" not in path.parts)


def packages() -> list[Path]:
    folders = {path.parent for path in sources()}
    tests = PACKAGE / "tests"
    return sorted(folder for folder in folders if tests not in [folder, *folder.parents])


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE.parent))


@pytest.mark.parametrize("folder", packages(), ids=named)
def test_package_has_a_charter(folder: Path) -> None:
    charter = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))

    assert charter, f"{named(folder)}/__init__.py has no docstring"
    assert 3 <= len(charter.splitlines()) <= 40, f"{named(folder)}: a charter has 5 to 20 lines"


@pytest.mark.parametrize("path", sources(), ids=named)
def test_module_has_a_docstring_and_imports_early(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    late = [
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert ast.get_docstring(tree), f"{named(path)} has no docstring"
    assert not late, f"{named(path)} imports inside a function at lines {late}"


@pytest.mark.parametrize("path", sources(), ids=named)
def test_names_say_what_lives_inside(path: Path) -> None:
    words = {path.stem, *path.relative_to(PACKAGE).parts[:-1]}

    assert not words & DRAWERS


@pytest.mark.parametrize("path", sources(), ids=named)
def test_every_ignore_has_a_code_and_a_reason(path: Path) -> None:
    bare = [
        number
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(r"#\s*(type|pyright):\s*ignore", line)
        and not re.search(r"pyright:\s*ignore\[[\w, ]+\]\s+#", line)
    ]

    assert not bare, f"{named(path)}: lines {bare}: `# pyright: ignore[code]  # reason`"
