"""Expressions over plain JSON values: what policies are written in.

The dialect is that of Kubernetes without ``device``: optional syntax, strings, ``cel.bind``,
quantities and semantic versions. Every variable is a JSON value whose type is known only when
the expression is evaluated. The engine that checks them evaluates them, too: thousands of objects
times dozens of policies have to be quick, and nothing here needs Kubernetes' account of costs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import attrs
from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

from conformance.cel import amounts
from conformance.cel.errors import CompileError, EvaluationError

_NO_KEY = re.compile(r'NOT_FOUND: Key not found in map : "(.*)"')
_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_TEXT = re.compile(r"""r?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")


@attrs.frozen(kw_only=True)
class Expression:
    """A compiled expression."""

    text: str
    program: Any = attrs.field(repr=False, eq=False)

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Return the value for these variables, as JSON.

        Raises ``EvaluationError`` where there is no answer, for instance for a missing key, and
        where finding it takes more iterations than the engine allows.
        """
        try:
            answer = self.program.eval(data=dict(values))
        except (RuntimeError, TypeError, ValueError, OverflowError) as error:
            raise EvaluationError(_said(str(error))) from error
        found = answer.plain_value()
        if answer.type().name() == "ERROR":
            raise EvaluationError(_said(str(found)))
        return found

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Return whether the expression is true; raises ``EvaluationError``."""
        found = self.evaluate(values)
        if not isinstance(found, bool):
            raise EvaluationError(f"expected true or false, found {type(found).__name__}")
        return found

    def members(self, variable: str) -> frozenset[str]:
        """Return the fields of a variable that the text reads: ``a`` for ``facts.a``."""
        bare = _TEXT.sub('""', self.text)
        return frozenset(re.findall(rf"(?<![\w.]){variable}\s*\.\s*\??\s*(\w+)", bare))

    def mentions(self, variable: str) -> int:
        """Return how often the text reads a variable."""
        bare = _TEXT.sub('""', self.text)
        return len(re.findall(rf"(?<![\w.]){variable}\b", bare))


def compile_expression(
    text: str, variables: tuple[str, ...], *, condition: bool = False
) -> Expression:
    """Return the expression that a text spells; raises ``CompileError``.

    ``condition`` refuses an expression that can never be true or false.
    """
    expression = compiled(text, variables)
    kind = expression.program.return_type().name()
    if condition and kind not in {"BOOL", "DYN"}:
        raise CompileError(f"must be true or false, not {kind.lower()}")
    return expression


def compiled(text: str, variables: tuple[str, ...], *, pool: Any = None) -> Expression:
    """Return the same where the messages of a pool of descriptors are known as well."""
    try:
        program = _environment(variables, pool).compile(text)
    except RuntimeError as error:
        raise CompileError(_placed(str(error))) from error
    return Expression(text=text, program=program)


@functools.cache
def _environment(variables: tuple[str, ...], pool: Any) -> Any:
    return cel.NewEnv(
        pool,
        variables=dict.fromkeys(variables, cel.Type.DYN),
        functions=amounts.functions(),
        extensions=[
            ext_optional.ExtOptional(),
            ext_strings.ExtStrings(),
            ext_bindings.ExtBindings(),
        ],
    )


def _placed(message: str) -> str:
    """Return what is wrong and where: the column counts within the expression."""
    found = _PLACE.search(message)
    if found is None:
        return _first_line(message)
    return f"{found[3]} (column {found[2]} of the expression)"


def _said(message: str) -> str:
    missing = _NO_KEY.fullmatch(message)
    if "Iteration budget exceeded" in message:
        return "costs too much: its comprehensions iterate too often"
    return f"no such key: {missing[1]}" if missing else _first_line(message)


def _first_line(message: str) -> str:
    return message.partition("\n")[0]
