"""The numbers of the house hold: sizes, nesting, parameters, folders, line lengths."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import conformance

PACKAGE = Path(conformance.__file__).parent
REPOSITORY = PACKAGE.parent

MODULE_LINES = 400
FUNCTION_LINES = 50
SUITE_TEST_LINES = 40
CLASS_LINES = 250
FOLDER_MODULES = 12
LINE_LENGTH = 100
NESTING = 3
PARAMETERS = 6
YAML_LINES = 500

#: What opens a block that counts as a level of nesting.
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources() -> list[Path]:
    """Return every module of the package but the generated ones."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "wire" not in path.parts)


def named(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def length(node: ast.AST) -> int:
    assert isinstance(node, ast.stmt)
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def depth(node: ast.AST) -> int:
    """Return how many blocks stand inside each other below ``node``."""
    deepest = 0
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            # ``elif`` continues its ``if``; a function inside a function starts anew.
            continues = isinstance(node, ast.If) and field == "orelse" and isinstance(child, ast.If)
            below = 0 if isinstance(child, Function | ast.ClassDef) else depth(child)
            step = 1 if isinstance(child, BLOCKS) and not continues else 0
            deepest = max(deepest, below + step)
    return deepest


def parameters(function: Function) -> int:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len([one for one in every if one.arg not in {"self", "cls"}])


@pytest.mark.parametrize("path", sources(), ids=named)
def test_module_keeps_the_numbers(path: Path) -> None:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    in_suite = "suite" in path.relative_to(PACKAGE).parts[:1]
    in_tests = "tests" in path.relative_to(PACKAGE).parts[:1]
    trouble: list[str] = []
    lines = text.splitlines()
    if len(lines) > MODULE_LINES:
        trouble.append(f"{len(lines)} lines, at most {MODULE_LINES}")
    trouble += [
        f"line {number} has {len(line)} characters"
        for number, line in enumerate(lines, 1)
        if len(line) > LINE_LENGTH
    ]
    for function in functions(tree):
        is_check = in_suite and function.name.startswith("test_")
        allowed = SUITE_TEST_LINES if is_check else FUNCTION_LINES
        if length(function) > allowed:
            trouble.append(f"{function.name} has {length(function)} lines, at most {allowed}")
        if depth(function) > NESTING:
            trouble.append(f"{function.name} nests {depth(function)} deep, at most {NESTING}")
        if parameters(function) > PARAMETERS and not in_tests:
            count = parameters(function)
            trouble.append(f"{function.name} takes {count} parameters, at most {PARAMETERS}")
    trouble += [
        f"class {node.name} has {length(node)} lines, at most {CLASS_LINES}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and length(node) > CLASS_LINES
    ]
    assert not trouble, f"{named(path)}: " + "; ".join(trouble)


def folders() -> list[Path]:
    return sorted({path.parent for path in sources()})


@pytest.mark.parametrize("folder", folders(), ids=named)
def test_folder_holds_few_modules(folder: Path) -> None:
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]

    assert len(modules) <= FOLDER_MODULES, f"{named(folder)} holds {len(modules)} modules"


def documents() -> list[Path]:
    roots = [PACKAGE, REPOSITORY / "fixtures", REPOSITORY / "schemas"]
    return sorted(path for root in roots for path in root.rglob("*.yaml"))


@pytest.mark.parametrize("path", documents(), ids=named)
def test_yaml_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= YAML_LINES
