"""Turns a checked tree into a function of a frame, once; the function then runs for each device.

Errors are exceptions. ``&&`` and ``||`` forgive them when the other side decides, and so do the
accumulators of comprehensions, which remember an error until somebody reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.cel.engine import library, meter
from conformance.cel.engine.calling import FRAGILE, called, chosen, list_of, map_of
from conformance.cel.engine.frame import Frame, Later, Run, attempt, variable
from conformance.cel.engine.literals import INDEX, is_attribute, is_literal
from conformance.cel.engine.values import Optional, TypeName, entry, fault, find, keys
from conformance.cel.errors import AbortedError, EvaluationError
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
)

_LOGIC = {"_&&_": False, "_||_": True}


def plan(tree: Tree) -> Run:
    """Return the function that evaluates the tree.

    Raises ``EvaluationError`` for a conversion of a literal that cannot succeed: Kubernetes
    carries these out beforehand.
    """
    return _Planner(tree).plan(tree.root, {})


class _Planner:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._slots = 0

    def plan(self, node: Node, scope: dict[str, int]) -> Run:
        plans: dict[type[Node], Callable[[Any, dict[str, int]], Run]] = {
            Constant: _constant,
            Identifier: self._identifier,
            Select: self._select,
            Call: self._call,
            ListOf: self._list,
            MapOf: self._map,
            Fold: self._fold,
        }
        return plans[type(node)](node, scope)

    def _identifier(self, node: Identifier, scope: dict[str, int]) -> Run:
        if node.name in scope:
            return variable(scope[node.name])
        if node.name.startswith("device."):
            field = node.name.removeprefix("device.")

            def device(frame: Frame) -> Any:
                frame.charge(2)
                return frame.device[field]

            return device
        name = TypeName({"map": "map", "list": "list"}.get(node.name, node.name))
        return lambda _: name

    def _select(self, node: Select, scope: dict[str, int]) -> Run:
        operand, field = self.plan(node.operand, scope), node.field
        relative = 0 if is_attribute(node.operand) else 1

        def present(frame: Frame) -> bool:
            container = operand(frame)
            found = find(container, field)
            frame.charge(relative)
            return found.present

        def value(frame: Frame) -> Any:
            container = operand(frame)
            frame.charge(1 + relative)
            if isinstance(container, Optional):
                return find(container, field)
            return entry(container, field)

        return present if node.test else value

    def _call(self, node: Call, scope: dict[str, int]) -> Run:
        name = node.function
        if name in _LOGIC:
            return self._logic(node, scope, decisive=_LOGIC[name])
        if name in INDEX:
            return self._index(node, scope)
        special = {
            "_?_:_": self._choose,
            "@not_strictly_false": self._not_strictly_false,
            "orValue": self._or_value,
            "or": self._or,
        }.get(name)
        if special is not None:
            return special(node, scope)
        parts = node.arguments if node.target is None else (node.target, *node.arguments)
        arguments = [self.plan(one, scope) for one in parts]
        if is_literal(node, scope):
            constant = library.function(name)(arguments[0](Frame({}, 0)))
            return lambda _: constant
        overloads = self._tree.overloads.get(node.id, ())
        if overloads == ("in_list",) and is_literal(parts[1], scope):
            literal = arguments[1](Frame({}, 0))
            if all(isinstance(one, bool | int | float | str) for one in literal):
                return chosen(arguments[0], literal)
        fragile = name in FRAGILE and len(overloads) == 1
        function = library.function(name, overloads)
        return called(function, meter.price(name, overloads), arguments, fragile=fragile)

    def _logic(self, node: Call, scope: dict[str, int], *, decisive: bool) -> Run:
        sides = [self.plan(one, scope) for one in node.arguments]

        def run(frame: Frame) -> bool:
            failure: EvaluationError | None = None
            for side in sides:
                try:
                    found = side(frame)
                except AbortedError:
                    raise
                except EvaluationError as error:
                    failure = failure or error
                    continue
                if found is decisive:
                    return decisive
                if not isinstance(found, bool):
                    failure = failure or fault()
            if failure is not None:
                raise failure
            return not decisive

        return run

    def _choose(self, node: Call, scope: dict[str, int]) -> Run:
        condition, one, other = (self.plan(each, scope) for each in node.arguments)

        def run(frame: Frame) -> Any:
            found = condition(frame)
            if not isinstance(found, bool):
                raise fault()
            return one(frame) if found else other(frame)

        return run

    def _not_strictly_false(self, node: Call, scope: dict[str, int]) -> Run:
        argument = self.plan(node.arguments[0], scope)

        def run(frame: Frame) -> bool:
            frame.charge(1)
            try:
                return argument(frame) is not False
            except AbortedError:
                raise
            except EvaluationError:
                return True

        return run

    def _or_value(self, node: Call, scope: dict[str, int]) -> Run:
        first, second = self._alternatives(node, scope)

        def run(frame: Frame) -> Any:
            found = first(frame)
            if not isinstance(found, Optional):
                raise fault()
            return found.value if found.present else second(frame)

        return run

    def _or(self, node: Call, scope: dict[str, int]) -> Run:
        first, second = self._alternatives(node, scope)

        def run(frame: Frame) -> Any:
            found = first(frame)
            if not isinstance(found, Optional):
                raise fault()
            return found if found.present else second(frame)

        return run

    def _alternatives(self, node: Call, scope: dict[str, int]) -> tuple[Run, Run]:
        assert node.target is not None
        return self.plan(node.target, scope), self.plan(node.arguments[0], scope)

    def _index(self, node: Call, scope: dict[str, int]) -> Run:
        container_node, wanted_node = node.arguments
        container, wanted = self.plan(container_node, scope), self.plan(wanted_node, scope)
        relative = 0 if is_attribute(container_node) else 1
        cost = relative + (0 if is_attribute(wanted_node) else 1)

        def element(frame: Frame) -> Any:
            inside, index = container(frame), wanted(frame)
            frame.charge(cost)
            if isinstance(inside, Optional):
                return find(inside, index)
            return entry(inside, index)

        def optional(frame: Frame) -> Optional:
            inside, index = container(frame), wanted(frame)
            found = find(inside, index)
            frame.charge(cost if found.present else relative)
            return found

        return optional if INDEX[node.function] else element

    def _list(self, node: ListOf, scope: dict[str, int]) -> Run:
        elements = [self.plan(one, scope) for one in node.elements]
        return list_of(elements, node.optional, 0 if is_literal(node, scope) else meter.LIST)

    def _map(self, node: MapOf, scope: dict[str, int]) -> Run:
        entries = [
            (self.plan(name, scope), self.plan(value, scope), optional)
            for name, value, optional in node.entries
        ]
        return map_of(entries, 0 if is_literal(node, scope) else meter.MAP)

    def _slot(self) -> int:
        self._slots += 1
        return self._slots

    def _bind(self, node: Fold, scope: dict[str, int]) -> Run:
        slot = self._slot()
        named = Later(self.plan(node.initial, scope))
        result = self.plan(node.result, {**scope, node.accumulator: slot})

        def run(frame: Frame) -> Any:
            frame.locals[slot] = named
            return result(frame)

        return run

    def _fold(self, node: Fold, scope: dict[str, int]) -> Run:
        if node.binds:
            return self._bind(node, scope)
        variable, accumulator = self._slot(), self._slot()
        outer = {**scope, node.accumulator: accumulator}
        inner = {**outer, node.variable: variable}
        elements, initial = self.plan(node.range, scope), self.plan(node.initial, scope)
        condition, step = self.plan(node.condition, inner), self.plan(node.step, inner)
        result = self.plan(node.result, outer)

        def run(frame: Frame) -> Any:
            found = elements(frame)
            if not isinstance(found, list | dict):
                raise fault("expected iterable type")
            local = frame.locals
            local[accumulator] = initial(frame)
            for one in found if isinstance(found, list) else keys(found):
                local[variable] = one
                if condition(frame) is False:
                    break
                local[accumulator] = attempt(step, frame)
            return result(frame)

        return run


def _constant(node: Constant, _scope: dict[str, int]) -> Run:
    return lambda _: node.value
