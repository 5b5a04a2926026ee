"""Every function by its name, called by the kinds of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.cel.engine import conversions, lists, operators, texts
from conformance.cel.engine.values import fault, kind
from conformance.cel.tree import Uint

_TYPED: dict[tuple[str, ...], Callable[..., Any]] = {
    **operators.TYPED,
    **conversions.TYPED,
    **texts.TYPED,
    **lists.TYPED,
}
_UNTYPED: dict[str, Callable[..., Any]] = {**operators.UNTYPED, **conversions.UNTYPED}
#: Methods of lists that take an element of any kind.
_OF_ELEMENTS = {
    "indexOf": lists.find_in_list(first=True),
    "lastIndexOf": lists.find_in_list(first=False),
}

#: The names of all functions that can be called.
NAMES = frozenset({name for name, *_ in _TYPED} | set(_UNTYPED))


#: The kinds that conversions are declared for, as their overloads spell them.
_DECLARED = {"int64": "int", "uint64": "uint"}


def function(name: str, overloads: Sequence[str] = ()) -> Callable[..., Any]:
    """Return what carries a function out; raises ``EvaluationError`` when called in vain.

    ``overloads`` are those that the checker found possible. Where it is one, Kubernetes calls
    this one, even for an argument that turns out to be of another kind.
    """
    overload = overloads[0] if len(overloads) == 1 else ""
    if name == "sum":
        zero: Any = {"uint": Uint(0), "double": 0.0}.get(overload.rpartition("_")[2], 0)
        return _dispatch(name, {("sum", "list"): lists.total(zero)})
    if name in _UNTYPED:
        return _UNTYPED[name]
    source, middle, _ = overload.partition("_to_")
    if middle and name in conversions.FOLDED:
        wanted = (name, _DECLARED.get(source, source))
        return _dispatch(name, {wanted: _TYPED[wanted]} if wanted in _TYPED else _TYPED)
    return _dispatch(name, _TYPED)


def _dispatch(name: str, table: Mapping[tuple[str, ...], Callable[..., Any]]) -> Callable[..., Any]:
    of_elements = _OF_ELEMENTS.get(name)

    def call(*arguments: Any) -> Any:
        found = table.get((name, *map(kind, arguments)))
        if found is not None:
            return found(*arguments)
        if of_elements is not None and len(arguments) == 2 and isinstance(arguments[0], list):
            return of_elements(*arguments)
        raise fault()

    return call
