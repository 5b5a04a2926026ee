"""What Kubernetes reads as a variable with fields, and what it computes beforehand."""

from __future__ import annotations

from conformance.cel.engine.conversions import FOLDED
from conformance.cel.tree import Call, Constant, Identifier, ListOf, MapOf, Node, Select

#: Operators that read an element or a field, and whether it may be absent.
INDEX = {"_[_]": False, "_[?_]": True, "_?._": True}


def is_attribute(node: Node) -> bool:
    """Return whether Kubernetes reads the node as a variable with fields and indices."""
    match node:
        case Identifier():
            return True
        case Select(test=test):
            return not test
        case Call(function=function):
            return function in INDEX or function == "_?_:_"
        case _:
            return False


def is_literal(node: Node, scope: dict[str, int]) -> bool:
    """Return whether Kubernetes computes the node beforehand: literals and their conversions."""
    match node:
        case Constant():
            return True
        case Identifier(name=name):
            return name not in scope and not name.startswith("device.")
        case ListOf(elements=elements, optional=optional):
            return not optional and all(is_literal(one, scope) for one in elements)
        case MapOf(entries=entries):
            return all(
                not optional and is_literal(name, scope) and is_literal(value, scope)
                for name, value, optional in entries
            )
        case Call(function=function, target=None, arguments=(argument,)):
            return function in FOLDED and is_literal(argument, scope)
        case _:
            return False
