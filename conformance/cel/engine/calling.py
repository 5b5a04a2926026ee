"""Calls of functions, and literal lists and maps: several parts, each evaluated, make one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conformance.cel.engine.frame import Frame, Run
from conformance.cel.engine.values import Optional, fault, key, member
from conformance.cel.errors import AbortedError, EvaluationError
from conformance.kube.semver import Version

#: Functions whose price Kubernetes cannot tell when an argument has failed: that ends it all.
FRAGILE = frozenset({"distinct", "sort"})
_UNPRICED = "internal error: no price of a call that failed"


def called(
    function: Callable[..., Any],
    price: Callable[..., int],
    arguments: list[Run],
    *,
    fragile: bool,
) -> Run:
    """Return what calls a function; ``fragile`` ends it all where an argument fails."""
    # One or two arguments are all evaluated, more only up to the first that fails.
    many = len(arguments) > 2

    def run(frame: Frame) -> Any:
        values: list[Any] = []
        failure: EvaluationError | None = None
        for argument in arguments:
            try:
                values.append(argument(frame))
            except AbortedError:
                raise
            except EvaluationError as error:
                failure = failure or error
                if many:
                    break
        if failure is not None:
            if fragile:
                raise AbortedError(_UNPRICED) from failure
            raise failure
        if fragile and not isinstance(values[0], list):
            raise AbortedError(_UNPRICED)
        result = function(*values)
        frame.charge(price(values, result))
        return result

    return run


def chosen(wanted: Run, literal: list[Any]) -> Run:
    """Look up in a literal list, which is free: Kubernetes makes a set of it beforehand."""

    def run(frame: Frame) -> bool:
        value = wanted(frame)
        if isinstance(value, Version):
            raise AbortedError("internal error: a version cannot be looked up in a set")
        return member(literal, value)

    return run if literal else lambda _: False


def list_of(elements: Sequence[Run], optional: frozenset[int], cost: int) -> Run:
    """Return what makes a list; the elements at ``optional`` places may be absent."""

    def run(frame: Frame) -> list[Any]:
        found: list[Any] = []
        for place, element in enumerate(elements):
            value = element(frame)
            if place not in optional:
                found.append(value)
            elif not isinstance(value, Optional):
                raise fault("cannot initialize optional list element from non-optional value")
            elif value.present:
                found.append(value.value)
        frame.charge(cost)
        return found

    return run


def map_of(entries: Sequence[tuple[Run, Run, bool]], cost: int) -> Run:
    """Return what makes a map of keys and values, some of which may be absent."""

    def run(frame: Frame) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for name, value, optional in entries:
            wanted, content = key(name(frame)), value(frame)
            if not optional:
                found[wanted] = content
            elif not isinstance(content, Optional):
                raise fault("cannot initialize optional entry from non-optional value")
            elif content.present:
                found[wanted] = content.value
            else:
                found.pop(wanted, None)
        frame.charge(cost)
        return found

    return run
