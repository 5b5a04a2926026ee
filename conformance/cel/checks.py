"""What Kubernetes' checker refuses and the engine's does not.

Kubernetes wants the elements of a list and the entries of a map to be of one type, and regular
expressions that are literals to be well-formed. Functions that the evaluation lacks are refused
as well, so that no expression is evaluated to something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.cel.engine import library, texts
from conformance.cel.errors import CompileError, EvaluationError
from conformance.cel.tree import (
    Call,
    Constant,
    Identifier,
    ListOf,
    MapOf,
    Message,
    Node,
    Tree,
    Type,
    children,
)

_PLANNED = {
    *("_&&_", "_||_", "_?_:_", "_[_]", "_[?_]", "_?._"),
    *("@not_strictly_false", "orValue", "or"),
}
_TYPES = {
    *("bool", "bytes", "double", "duration", "dyn", "int", "list", "map", "null_type"),
    *("optional_type", "string", "timestamp", "type", "uint"),
    *("google.protobuf.Duration", "google.protobuf.Timestamp"),
}
_PATTERNS = {"matches", "find", "findAll"}


def check(tree: Tree) -> None:
    """Raise ``CompileError`` for the first thing that Kubernetes would not accept."""
    for node in _nodes(tree.root):
        for problem in _problems(tree, node):
            raise CompileError(f"compilation failed: {problem}")


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for one in children(node):
        yield from _nodes(one)


def _problems(tree: Tree, node: Node) -> Iterator[str]:
    match node:
        case ListOf(elements=elements, optional=optional):
            kinds = [tree.type_of(one) for one in elements]
            yield from _mixed(
                [
                    one.parameters[0] if index in optional and one.parameters else one
                    for index, one in enumerate(kinds)
                ],
                "list",
            )
        case MapOf(entries=entries):
            yield from _mixed([tree.type_of(key) for key, _, _ in entries], "map keys")
            kinds = [(tree.type_of(value), optional) for _, value, optional in entries]
            yield from _mixed(
                [one.parameters[0] if opt and one.parameters else one for one, opt in kinds],
                "map values",
            )
        case Call():
            yield from _call(node)
        case Message(name=name):
            yield f"unsupported message literal {name}"
        case Identifier(name=name) if tree.type_of(node).kind == "type" and name not in _TYPES:
            # Kubernetes takes a variable that holds a type for the name of one.
            yield f"reference to undefined type: {name}"
        case _:
            pass


def _call(node: Call) -> Iterator[str]:
    if node.function not in library.NAMES and node.function not in _PLANNED:
        yield f"unsupported function '{node.function}'"
    parts = node.arguments if node.target is None else (node.target, *node.arguments)
    if node.function in _PATTERNS and isinstance(parts[1], Constant):
        try:
            texts.pattern(str(parts[1].value))
        except EvaluationError as error:
            yield f"invalid matches argument: {error}"


def _mixed(kinds: Sequence[Type], what: str) -> Iterator[str]:
    for one in kinds[1:]:
        if kinds[0] != one:
            yield f"expected type '{kinds[0]}' but found '{one}' in {what}"
            return
