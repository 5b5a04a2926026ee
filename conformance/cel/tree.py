"""A checked expression as a tree of values, read from the form in which the checker writes it.

The shapes are those of ``cel.expr.CheckedExpr`` (cel-spec, proto/cel/expr/checked.proto and
syntax.proto). Comprehensions arrive expanded: ``all``, ``map``, ``cel.bind`` are ``Fold`` nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs


@attrs.frozen
class Type:
    """A type; ``kind`` is ``bool``, ``list``, ``opaque``, ...; opaque ones have a ``name``."""

    kind: str
    name: str = ""
    parameters: tuple[Type, ...] = ()

    def __str__(self) -> str:
        """Return the spelling of error messages, such as ``map(string, dyn)``."""
        if not self.parameters:
            return self.name or self.kind
        return f"{self.name or self.kind}({', '.join(map(str, self.parameters))})"


DYN = Type("dyn")


class Uint(int):
    """An unsigned integer of an expression; Python knows one kind of integers only."""

    __slots__ = ()


@attrs.frozen(eq=False)
class Node:
    """A part of an expression; ``id`` is unique within the tree."""

    id: int


@attrs.frozen(eq=False)
class Constant(Node):
    """A literal: null, boolean, number, text or bytes."""

    value: Any


@attrs.frozen(eq=False)
class Identifier(Node):
    """A variable or the name of a type."""

    name: str


@attrs.frozen(eq=False)
class Select(Node):
    """A field of the operand; ``test`` asks only whether it is there (``has``)."""

    operand: Node
    field: str
    test: bool = False


@attrs.frozen(eq=False)
class Call(Node):
    """A function or an operator; ``target`` is what a method is called on."""

    function: str
    target: Node | None
    arguments: tuple[Node, ...]


@attrs.frozen(eq=False)
class ListOf(Node):
    """A list literal; the elements at ``optional`` places may be absent."""

    elements: tuple[Node, ...]
    optional: frozenset[int] = frozenset()


@attrs.frozen(eq=False)
class MapOf(Node):
    """A map literal: keys, values, and whether the entry may be absent."""

    entries: tuple[tuple[Node, Node, bool], ...]


@attrs.frozen(eq=False)
class Message(Node):
    """A message literal; no device selector can make use of one."""

    name: str


@attrs.frozen(eq=False, kw_only=True)
class Fold(Node):
    """A comprehension over ``range``; ``cel.bind`` is one over an empty list."""

    variable: str
    range: Node
    accumulator: str
    initial: Node
    condition: Node
    step: Node
    result: Node

    @property
    def binds(self) -> bool:
        """Return whether this is ``cel.bind``, which names a value and repeats nothing."""
        return (
            isinstance(self.range, ListOf)
            and not self.range.elements
            and isinstance(self.condition, Constant)
            and self.condition.value is False
            and self.accumulator not in {"__result__", "@result"}
        )


@attrs.frozen(eq=False)
class Tree:
    """An expression with what the checker found out about its nodes, by their ids."""

    root: Node
    types: Mapping[int, Type]
    overloads: Mapping[int, tuple[str, ...]]
    names: Mapping[int, str]

    def type_of(self, node: Node) -> Type:
        """Return the type that the checker deduced."""
        return self.types.get(node.id, DYN)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes right below, in the order of the text."""
    match node:
        case Select(operand=operand):
            return (operand,)
        case Call(target=target, arguments=arguments):
            return arguments if target is None else (target, *arguments)
        case ListOf(elements=elements):
            return elements
        case MapOf(entries=entries):
            return tuple(one for key, value, _ in entries for one in (key, value))
        case Fold():
            return (node.range, node.initial, node.condition, node.step, node.result)
        case _:
            return ()
