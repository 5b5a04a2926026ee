"""A second opinion on an expression, by an engine of another make (cel-python).

Policies are judged by one engine; where the other one speaks their dialect, it must come to the
same answer. It knows no optional syntax, no string extensions and none of Kubernetes' functions.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import celpy
from celpy import celtypes
from celpy.adapter import json_to_cel
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError

from conformance.cel.errors import EvaluationError

#: What the engine says of a function that it does not have.
_UNKNOWN = re.compile(r"undeclared reference|unbound function|found no matching overload")


class NotSpoken(Exception):
    """The engine does not know the syntax, or a function, of the expression."""


def evaluate(text: str, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression for these variables, which are JSON.

    Raises ``NotSpoken`` for what this engine lacks, ``EvaluationError`` where there is no answer.
    """
    try:
        given = {name: json_to_cel(value) for name, value in values.items()}
    except ValueError as error:
        raise NotSpoken(f"a number beyond 64 bits: {error}") from error
    try:
        found: Any = _program(text).evaluate(given)
    except CELEvalError as error:
        said = " ".join(str(one) for one in error.args)
        if _UNKNOWN.search(said):
            raise NotSpoken(said) from error
        raise EvaluationError(said) from error
    return bool(found) if isinstance(found, celtypes.BoolType) else found


@functools.cache
def _program(text: str) -> Any:
    environment = celpy.Environment()
    try:
        return environment.program(environment.compile(text))
    except CELParseError as error:
        raise NotSpoken(str(error)) from error
