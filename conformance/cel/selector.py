"""Device selectors: compiled once, asked about many devices."""

from __future__ import annotations

import functools
import re
from typing import Any

import attrs

from conformance.cel import cost, device
from conformance.cel.environment import selector_environment
from conformance.cel.errors import CompileError, EvaluationError
from conformance.kube.objects import Object

#: A text that stands as an index, such as ``["dra.example.com"]``.
_INDEX = re.compile(r"""\[\s*\??\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]""")
_NO_KEY = re.compile(r'NOT_FOUND: Key not found in map : "(.*)"')
_HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with "
    "has() for optional fields"
)

#: Selectors that are kept compiled.
_KEPT = 1024


@attrs.frozen(kw_only=True)
class Selector:
    """A compiled expression that says yes or no about a device."""

    expression: str
    cost: int
    domains: frozenset[str]
    program: Any = attrs.field(repr=False, eq=False)

    def matches(self, driver: str, one: Object) -> bool:
        """Return whether the device of this driver is selected.

        ``one`` is an entry of ``ResourceSlice.spec.devices``. Raises ``EvaluationError`` when
        the expression has no answer, for instance since an attribute is missing, or when the
        answer is neither yes nor no.
        """
        values = device.variables(driver, one, self.domains)
        try:
            answer = self.program.eval(data=values)
        except RuntimeError as error:
            raise EvaluationError(str(error)) from error
        if answer.type().name() == "ERROR":
            raise EvaluationError(_said(str(answer.plain_value())))
        found = answer.plain_value()
        if not isinstance(found, bool):
            kind = answer.type().name().lower()
            raise EvaluationError(f"CEL result of type {kind} could not be converted to bool")
        return found


def _said(message: str) -> str:
    missing = _NO_KEY.fullmatch(message)
    return f"no such key: {missing[1]}. {_HINT}" if missing else message


@functools.lru_cache(maxsize=_KEPT)
def compile_selector(expression: str, *, multi_allocation: bool = True) -> Selector:
    """Return the selector that a text spells; raises ``CompileError``.

    ``multi_allocation`` tells whether ``device.allowMultipleAllocations`` is known.
    """
    environment = selector_environment(multi_allocation=multi_allocation)
    try:
        program = environment.compile(expression)
    except RuntimeError as error:
        detail = str(error).removeprefix("INVALID_ARGUMENT: ").removesuffix(" [INVALID_ARGUMENT]")
        raise CompileError(f"compilation failed: {detail}") from error
    kind = program.return_type().name()
    if kind not in {"BOOL", "DYN"}:
        raise CompileError(f"must evaluate to bool or the unknown type, not {kind.lower()}")
    return Selector(
        expression=expression,
        cost=cost.estimate(expression),
        domains=frozenset(one or two for one, two in _INDEX.findall(expression)),
        program=program,
    )
