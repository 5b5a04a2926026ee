"""Evidence is pure: importing it brings nothing that could see the world."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import conformance.evidence

IMPURE = {"asyncio", "http", "os", "random", "socket", "subprocess", "threading", "time"}
MODULES = sorted(Path(conformance.evidence.__file__).parent.glob("*.py"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_there_are_modules_to_look_at() -> None:
    assert {path.name for path in MODULES} >= {"record.py", "journal.py", "verdict.py"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_nothing_impure(path: Path) -> None:
    assert not imports(path) & IMPURE
