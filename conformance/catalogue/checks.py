"""The checks of a suite, found by reading its source.

A check is a test function that carries ``@pytest.mark.requirement("DRA-BND-01", …)``: on itself,
on its class, in the ``pytestmark`` of its module, or on a row of its parameters. Nothing is
imported, so that a suite can be listed in milliseconds and a broken one can be reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import field, frozen

from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.model import Position
from conformance.catalogue.reading import named

#: The name of the marker.
MARKER = "requirement"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@frozen(kw_only=True)
class Marker:
    """One id in one marker; ``id`` is None where no literal text stands there."""

    id: str | None
    position: Position
    #: Whether it marks one row of the test's parameters, not the whole test.
    of_row: bool = False


@frozen(kw_only=True)
class Check:
    """A test function that judges requirements."""

    #: As pytest spells it, without the row of parameters.
    nodeid: str
    module: str
    function: str
    line: int
    #: The ids that it judges, in the order of its markers, each once.
    requirements: tuple[str, ...]
    docstring: str
    markers: tuple[Marker, ...] = field(eq=False)


def scan(suite: Path) -> tuple[Check, ...]:
    """Return every check of a suite folder, in the order of files and lines.

    Raises ``CatalogueError`` where a module is not Python.
    """
    return tuple(
        check
        for path in sorted(suite.rglob("test_*.py"))
        for check in _module(path, named(path, suite))
    )


def _module(path: Path, file: str) -> Iterator[Check]:
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except SyntaxError as error:
        where = Position(file=file, line=error.lineno or 1, column=error.offset or 1)
        raise CatalogueError(where, f"is not Python: {error.msg}") from error
    shared = [
        statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and _names(statement.targets) == ["pytestmark"]
    ]
    for function, prefix, expressions in _functions(tree.body, "", shared):
        markers = tuple(_markers(expressions, file))
        if markers:
            ids = dict.fromkeys(marker.id for marker in markers if marker.id)
            yield Check(
                nodeid=f"{file}::{prefix}{function.name}",
                module=".".join(Path(file).with_suffix("").parts),
                function=function.name,
                line=function.lineno,
                requirements=tuple(ids),
                docstring=ast.get_docstring(function) or "",
                markers=markers,
            )


def _functions(
    body: Sequence[ast.stmt], prefix: str, shared: list[ast.expr]
) -> Iterator[tuple[Function, str, list[ast.expr]]]:
    """Yield each test function, the path of its classes and where its markers may stand."""
    for statement in body:
        if isinstance(statement, Function) and statement.name.startswith("test"):
            yield statement, prefix, [*shared, *statement.decorator_list]
        elif isinstance(statement, ast.ClassDef):
            below = [*shared, *statement.decorator_list]
            yield from _functions(statement.body, f"{prefix}{statement.name}::", below)


def _markers(expressions: Sequence[ast.expr], file: str) -> Iterator[Marker]:
    calls = [
        (node, _is_of_rows(expression))
        for expression in expressions
        for node in ast.walk(expression)
        if isinstance(node, ast.Call) and _is_marker(node.func)
    ]
    for call, of_row in calls:
        for argument in call.args or [call]:
            position = Position(file=file, line=argument.lineno, column=argument.col_offset + 1)
            yield Marker(id=_literal(argument), position=position, of_row=of_row)


def _is_of_rows(expression: ast.expr) -> bool:
    called = expression.func if isinstance(expression, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr == "parametrize"


def _is_marker(called: ast.expr) -> bool:
    if not (isinstance(called, ast.Attribute) and called.attr == MARKER):
        return False
    owner = called.value
    return (isinstance(owner, ast.Attribute) and owner.attr == "mark") or (
        isinstance(owner, ast.Name) and owner.id == "mark"
    )


def _literal(argument: ast.expr) -> str | None:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    return None


def _names(targets: Sequence[ast.expr]) -> list[str]:
    return [target.id for target in targets if isinstance(target, ast.Name)]
