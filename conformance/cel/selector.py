"""Device selectors and derived attributes: compiled once, asked about many devices.

Source: ``cel/compile.go`` of k8s.io/dynamic-resource-allocation 0.37.2 (KEP-4381, KEP-6080).
"""

from __future__ import annotations

import functools
from typing import Any

import attrs

from conformance.cel import checks, cost, device
from conformance.cel.engine import program
from conformance.cel.engine.frame import Frame, Run
from conformance.cel.engine.values import kind
from conformance.cel.environment import check
from conformance.cel.errors import CompileError, EvaluationError
from conformance.cel.tree import Tree
from conformance.kube.objects import Object

_HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with "
    "has() for optional fields"
)

#: Kinds of values that an attribute can have, beside semantic versions.
_ATTRIBUTE_KINDS = ("any", "bool", "dyn", "int", "int64", "string")
#: How an attribute spells a value of a kind.
_KEYS = {"bool": "bool", "int": "int", "string": "string", "kubernetes.Semver": "version"}

#: Expressions that are kept compiled.
_KEPT = 1024
#: What an evaluation may cost (``CELSelectorExpressionMaxCost``).
LIMIT = 1_000_000


@attrs.frozen(kw_only=True)
class Selector:
    """A compiled expression that says yes or no about a device.

    ``cost`` is the worst case, in the units of Kubernetes' limit.
    """

    expression: str
    cost: int
    run: Run = attrs.field(repr=False, eq=False)

    def matches(self, driver: str, one: Object) -> bool:
        """Return whether the device of this driver is selected.

        ``one`` is an entry of ``ResourceSlice.spec.devices``. Raises ``EvaluationError`` when
        the expression has no answer, for instance since an attribute is missing, or when the
        answer is neither yes nor no; ``CostExceededError`` when it takes too long.
        """
        found = _evaluate(self.run, driver, one)
        if not isinstance(found, bool):
            raise EvaluationError(
                f"CEL result of type {kind(found)} could not be converted to bool"
            )
        return found


@attrs.frozen(kw_only=True)
class Derived:
    """A compiled expression that gives a device an attribute."""

    expression: str
    run: Run = attrs.field(repr=False, eq=False)

    def attribute(self, driver: str, one: Object) -> Object:
        """Return the attribute that the device of this driver gets, as slices spell it.

        Raises ``EvaluationError`` where there is no value, or one that no attribute can have.
        """
        return _attribute(_evaluate(self.run, driver, one))


@functools.lru_cache(maxsize=_KEPT)
def compile_selector(
    expression: str, *, multi_allocation: bool = True, list_attributes: bool = True
) -> Selector:
    """Return the selector that a text spells; raises ``CompileError``.

    ``multi_allocation`` tells whether ``device.allowMultipleAllocations`` is known,
    ``list_attributes`` whether attributes may be lists. Expressions that are stored already are
    compiled with both, whatever the feature gates.
    """
    tree = check(expression, multi_allocation=multi_allocation, list_attributes=list_attributes)
    checks.check(tree)
    wanted = {"bool", "dyn" if list_attributes else "any"}
    found = tree.type_of(tree.root)
    if found.kind not in wanted:
        raise CompileError(f"must evaluate to bool or the unknown type, not {found}")
    try:
        run = program.plan(tree)
    except EvaluationError as error:
        raise CompileError(f"program instantiation failed: {error}") from error
    return Selector(expression=expression, cost=cost.estimate(tree), run=run)


def derived_cost(expression: str, *, multi_allocation: bool, list_attributes: bool) -> int:
    """Return what the expression of a derived attribute costs at most.

    Raises ``CompileError``, also where its value is none that an attribute can have.
    """
    tree = _checked(expression, multi_allocation=multi_allocation, list_attributes=list_attributes)
    return cost.estimate(tree)


@functools.lru_cache(maxsize=_KEPT)
def compile_derived(expression: str) -> Derived:
    """Return what a stored text spells, whatever the feature gates; raises ``CompileError``."""
    tree = _checked(expression, multi_allocation=True, list_attributes=True)
    try:
        run = program.plan(tree)
    except EvaluationError as error:
        raise CompileError(f"program instantiation failed: {error}") from error
    return Derived(expression=expression, run=run)


def _checked(expression: str, *, multi_allocation: bool, list_attributes: bool) -> Tree:
    tree = check(expression, multi_allocation=multi_allocation, list_attributes=list_attributes)
    checks.check(tree)
    found = tree.type_of(tree.root)
    item = found.parameters[0] if found.kind == "list" and list_attributes else found
    if item.kind not in _ATTRIBUTE_KINDS and item.name != "kubernetes.Semver":
        raise CompileError(f"must evaluate to a primitive scalar, not {found}")
    return tree


def _attribute(value: Any) -> Object:
    if not isinstance(value, list):
        key, plain = _scalar(value)
        return {key: plain}
    items = [_scalar(one) for one in value]
    if not items:
        return {"strings": []}
    key = items[0][0]
    if any(other != key for other, _ in items):
        raise EvaluationError(f"expected list elements to be {key}")
    return {f"{key}s": [plain for _, plain in items]}


def _scalar(value: Any) -> tuple[str, Any]:
    found = kind(value)
    if found not in _KEYS:
        raise EvaluationError(f"unsupported CEL return type: {found}")
    return _KEYS[found], str(value) if found == "kubernetes.Semver" else value


def _evaluate(run: Run, driver: str, one: Object) -> Any:
    """Return what a plan makes of a device of this driver.

    Raises ``EvaluationError``, and ``CostExceededError`` when it takes too long.
    """
    frame = Frame(device.variables(driver, one), LIMIT)
    try:
        return run(frame)
    except EvaluationError as error:
        if str(error).startswith("no such key"):
            raise EvaluationError(f"{error}. {_HINT}") from error
        raise
    except RecursionError as error:
        raise EvaluationError("the expression is nested too deeply") from error
