"""The walk over a tree that adds up what every node can cost.

Beside the cost it follows sizes: of literals, of fields of the device, by their path, and of
the entries of lists and maps, also through local variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.cel.cost import calls, schema
from conformance.cel.cost.calls import Operand
from conformance.cel.cost.sizes import (
    ANY,
    FREE,
    NEVER,
    ONCE,
    Bounds,
    Entries,
    exactly,
)
from conformance.cel.engine.meter import LIST, MAP
from conformance.cel.tree import (
    Call,
    Constant,
    Fold,
    Identifier,
    ListOf,
    MapOf,
    Node,
    Select,
    Tree,
    Type,
)

_Path = tuple[str, ...]
_SCALARS = {"bool", "double", "duration", "int", "timestamp", "uint"}
#: Kinds of operands whose fields cost something.
_SELECTED = {"map", "parameter", "message"}


def estimate(tree: Tree) -> int:
    """Return the worst case; the largest 64 bit number where there is no bound."""
    return _Estimator(tree).cost(tree.root, {}).high


@attrs.frozen(kw_only=True)
class _Local:
    path: _Path
    size: Bounds | None
    entries: Entries | None


_Scope = Mapping[str, _Local]


def _is_scalar(one: Type) -> bool:
    if one.name == "optional_type":
        return _is_scalar(one.parameters[0])
    return one.kind in _SCALARS


class _Estimator:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._paths: dict[int, _Path] = {}
        self._sizes: dict[int, Bounds] = {}
        self._entries: dict[int, Entries] = {}

    def cost(self, node: Node, scope: _Scope) -> Bounds:
        rules: dict[type[Node], Callable[[Any, _Scope], Bounds]] = {
            Identifier: self._identifier,
            Select: self._select,
            Call: self._call,
            ListOf: self._list,
            MapOf: self._map,
            Fold: self._fold,
        }
        rule = rules.get(type(node))
        return rule(node, scope) if rule else FREE

    def _path(self, node: Node, scope: _Scope) -> _Path:
        if isinstance(node, Identifier) and node.name in scope:
            return scope[node.name].path
        return self._paths.get(node.id, ())

    def _size(self, node: Node, scope: _Scope) -> Bounds | None:
        if node.id in self._sizes:
            return self._sizes[node.id]
        literal = _literal_size(node)
        if literal is not None:
            return literal
        found = schema.size(self._path(node, scope))
        if found is not None:
            self._sizes[node.id] = found
            return found
        if _is_scalar(self._tree.type_of(node)):
            return ONCE
        if isinstance(node, Identifier) and node.name in scope:
            return scope[node.name].size
        return None

    def _set_size(self, node: Node, size: Bounds | None) -> None:
        if size is not None:
            self._sizes[node.id] = size

    def _entries_of(self, node: Node, scope: _Scope) -> Entries | None:
        if node.id in self._entries:
            return self._entries[node.id]
        if isinstance(node, Identifier) and node.name in scope:
            return scope[node.name].entries
        return None

    def _set_entries(self, node: Node, entries: Entries | None) -> None:
        if entries is not None:
            self._entries[node.id] = entries

    def _identifier(self, node: Identifier, scope: _Scope) -> Bounds:
        if node.name in scope:
            self._paths[node.id] = scope[node.name].path
            return ONCE
        # A field of the device is one name for the checker, and two steps for Kubernetes.
        path = tuple(node.name.split("."))
        self._paths[node.id] = path
        return exactly(len(path))

    def _select(self, node: Select, scope: _Scope) -> Bounds:
        total = self.cost(node.operand, scope)
        if node.test:
            return total
        if self._tree.type_of(node.operand).kind in _SELECTED:
            total += ONCE
        self._paths[node.id] = (*self._path(node.operand, scope), node.field)
        return total

    def _operand(self, node: Node, scope: _Scope) -> Operand:
        path: _Path | None = self._path(node, scope)
        if path and path[0] in {"__result__", "@result"}:
            path = None
        size = self._size(node, scope)
        return Operand(node=node, type=self._tree.type_of(node), known=size, path=path or None)

    def _call(self, node: Call, scope: _Scope) -> Bounds:
        if node.function == "dyn":
            argument = node.arguments[0]
            total = self.cost(argument, scope)
            self._copy(node, argument, scope)
            return total + ONCE
        costs = [self.cost(one, scope) for one in node.arguments]
        operands = [self._operand(one, scope) for one in node.arguments]
        overloads = self._tree.overloads.get(node.id, ())
        if not overloads:
            return FREE
        total, target = FREE, None
        if node.target is not None:
            total = self.cost(node.target, scope)
            target = self._operand(node.target, scope)
        most, result = NEVER, None
        for overload in overloads:
            found = self._price(node, overload, target, operands, costs, scope)
            most |= found.cost
            if found.result is not None:
                result = found.result if result is None else result | found.result
            result = self._indexed(node, overload, result, scope)
        self._set_size(node, result)
        return total + most

    def _price(
        self,
        node: Call,
        overload: str,
        target: Operand | None,
        operands: list[Operand],
        costs: list[Bounds],
        scope: _Scope,
    ) -> calls.Estimate:
        if overload in {"logical_or", "logical_and"}:
            return calls.Estimate(Bounds(costs[0].low, (costs[0] + costs[1]).high))
        if overload == "conditional":
            return self._conditional(node, operands, costs, scope)
        found = calls.estimate(node.function, overload, target, operands)
        if overload in {"add_string", "add_bytes", "add_list"}:
            entries = self._entries_of(node.arguments[0], scope)
            other = self._entries_of(node.arguments[1], scope)
            self._set_entries(node, entries and entries.either(other))
        return calls.Estimate(sum(costs, found.cost), found.result)

    def _conditional(
        self, node: Call, operands: list[Operand], costs: list[Bounds], scope: _Scope
    ) -> calls.Estimate:
        entries = self._entries_of(node.arguments[1], scope)
        other = self._entries_of(node.arguments[2], scope)
        self._set_entries(node, entries and entries.either(other))
        size = (operands[1].known or ANY) | (operands[2].known or ANY)
        return calls.Estimate(costs[0] + (costs[1] | costs[2]), size)

    def _indexed(
        self, node: Call, overload: str, result: Bounds | None, scope: _Scope
    ) -> Bounds | None:
        """Follow the path into a list or a map; return the size of the result."""
        steps = {"index_list": "@items", "index_map": "@values"}
        if overload in steps:
            entries = self._entries_of(node.arguments[0], scope)
            result = entries.value if entries else None
            path = self._path(node.arguments[0], scope)
            self._paths[node.id] = (*path, steps[overload])
        return self._size(node, scope) if result is None else result

    def _copy(self, node: Node, source: Node, scope: _Scope) -> None:
        self._set_size(node, self._size(source, scope))
        self._set_entries(node, self._entries_of(source, scope))

    def _list(self, node: ListOf, scope: _Scope) -> Bounds:
        total, size = exactly(LIST), NEVER if node.elements else FREE
        for element in node.elements:
            total += self.cost(element, scope)
            size |= self._size(element, scope) or ANY
        self._entries[node.id] = Entries("list", ONCE, size)
        return total

    def _map(self, node: MapOf, scope: _Scope) -> Bounds:
        total = exactly(MAP)
        keys = values = NEVER if node.entries else FREE
        for key, value, _ in node.entries:
            total += self.cost(key, scope) + self.cost(value, scope)
            keys |= self._size(key, scope) or ANY
            values |= self._size(value, scope) or ANY
        self._entries[node.id] = Entries("map", keys, values)
        return total

    def _named(self, node: Node, scope: _Scope) -> _Local:
        """Return a local variable that has the value of a node."""
        return _Local(
            path=self._path(node, scope),
            size=self._size(node, scope),
            entries=self._entries_of(node, scope),
        )

    def _each(self, node: Node, scope: _Scope) -> _Local:
        """Return a local variable that runs through a list, or through the keys of a map."""
        entries = self._entries_of(node, scope)
        lists = (entries.of if entries else self._tree.type_of(node).kind) == "list"
        size = (entries.value if lists else entries.key) if entries else None
        step = "@items" if lists else "@keys"
        return _Local(path=(*self._path(node, scope), step), size=size, entries=None)

    def _bind(self, node: Fold, scope: _Scope) -> Bounds:
        total = self.cost(node.range, scope) + self.cost(node.initial, scope)
        inner = {**scope, node.accumulator: self._named(node.initial, scope)}
        total += self.cost(node.result, inner)
        self._copy(node, node.result, inner)
        return total

    def _fold(self, node: Fold, scope: _Scope) -> Bounds:
        if node.binds:
            return self._bind(node, scope)
        total = self.cost(node.range, scope) + self.cost(node.initial, scope)
        outer = {**scope, node.accumulator: self._named(node.initial, scope)}
        inner = {**outer, node.variable: self._each(node.range, outer)}
        loop = self.cost(node.condition, inner) + self.cost(node.step, inner)
        total += self.cost(node.result, outer)
        count = self._size(node.range, scope) or ANY
        total += count * loop
        if isinstance(node.initial, Constant):
            self._set_size(node, self._size(node.initial, scope))
        elif isinstance(node.initial, ListOf | MapOf):
            self._set_size(node, count)
            self._set_entries(node, self._entries_of(node.step, scope))
        return total


def _literal_size(node: Node) -> Bounds | None:
    match node:
        case Constant(value=value):
            return exactly(len(value) if isinstance(value, str | bytes) else 1)
        case ListOf(elements=elements):
            return exactly(len(elements))
        case MapOf(entries=entries):
            return exactly(len(entries))
        case _:
            return None
