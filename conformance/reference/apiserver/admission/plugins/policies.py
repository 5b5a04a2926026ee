"""ValidatingAdmissionPolicies: expressions of an administrator that a write must satisfy.

Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.cel import CompileError, EvaluationError
from conformance.kube.objects import Object
from conformance.reference.apiserver.admission.plugins import expressions
from conformance.reference.apiserver.admission.plugins.expressions import Values
from conformance.reference.apiserver.admission.plugins.matching import Bound
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.faults.seams import Faults


class Policies:
    """The bound policies that validate."""

    def __init__(self, bound: Bound, faults: Faults) -> None:
        self._bound = bound
        self._objections = faults.wrap("apiserver.policy_objections", objections)

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` 422 for what a bound policy refuses."""
        for policy, binding, asked in self._bound.about(write):
            if "Deny" not in (binding["spec"].get("validationActions") or []):
                continue
            namespace = self._bound.namespace(write)
            for said in self._objections(policy["spec"], asked, namespace):
                raise expressions.refusal(policy, binding, write, said)


def objections(policy: Object, write: Write, namespace: Object | None) -> Iterator[str]:
    """Yield why the spec of a policy refuses a write.

    An expression without an answer is one where ``failurePolicy`` is Fail, as it is by default.
    """
    fails = policy.get("failurePolicy", "Fail") == "Fail"
    values = expressions.values_of(write, namespace)
    try:
        if not expressions.meets_conditions(policy, values):
            return
    except (CompileError, EvaluationError) as error:
        if fails:
            yield str(error)
        return
    values["variables"] = expressions.variables_of(policy, values)
    for one in policy.get("validations") or []:
        try:
            if not expressions.true(one["expression"], values):
                yield _message(one, values)
        except (CompileError, EvaluationError) as error:
            if fails:
                yield f"expression {one['expression']!r} resulted in error: {error}"


def _message(validation: Object, values: Values) -> str:
    plain = validation.get("message") or f"failed expression: {validation['expression']}"
    if not validation.get("messageExpression"):
        return plain
    try:
        return str(expressions.evaluate(validation["messageExpression"], values)) or plain
    except (CompileError, EvaluationError):
        return plain
