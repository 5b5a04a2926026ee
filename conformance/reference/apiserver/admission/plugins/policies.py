"""ValidatingAdmissionPolicies: expressions of an administrator that a write must satisfy.

Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from conformance.cel import CompileError, EvaluationError, compile_expression
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.admission.plugins.matching import as_asked, version_asked
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.faults.seams import Faults
from conformance.reference.store.memory import Store

GROUP = "admissionregistration.k8s.io"

_POLICIES = f"{GROUP}/validatingadmissionpolicies"
_BINDINGS = f"{GROUP}/validatingadmissionpolicybindings"

#: What an expression can read; ``variables`` are the policy's own.
_NAMES = ("object", "oldObject", "request", "params", "namespaceObject", "variables")

Values = dict[str, Any]

#: ``(expression, values) -> value``: raises ``CompileError`` or ``EvaluationError``.
Evaluate = Callable[[str, Values], Any]


class Policies:
    """The policies in a store, each with its bindings."""

    def __init__(self, store: Store, served: Iterable[Resource], faults: Faults) -> None:
        self._store, self._served = store, tuple(served)
        self._version_asked = faults.wrap("apiserver.policy_version", version_asked)
        self._objections = faults.wrap("apiserver.policy_objections", objections)

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` 422 for what a bound policy refuses."""
        for binding in self._store.list(_BINDINGS):
            spec = binding["spec"]
            policy = self._store.get(_POLICIES, ("", spec.get("policyName", "")))
            if policy is None or "Deny" not in (spec.get("validationActions") or []):
                continue
            resource = self._concerned(policy["spec"].get("matchConstraints"), write)
            if resource is None or self._concerned(spec.get("matchResources"), write) is None:
                continue
            namespace = self._store.get("/namespaces", ("", write.namespace))
            for said in self._objections(policy["spec"], as_asked(write, resource), namespace):
                raise _refusal(policy, binding, write, said)

    def _concerned(self, match: Object | None, write: Write) -> Resource | None:
        return self._version_asked(match or {}, write, self._served)


def objections(policy: Object, write: Write, namespace: Object | None) -> Iterator[str]:
    """Yield why the spec of a policy refuses a write.

    An expression without an answer is one where ``failurePolicy`` is Fail, as it is by default.
    """
    fails = policy.get("failurePolicy", "Fail") == "Fail"
    values: Values = {
        "object": write.new,
        "oldObject": write.old,
        "request": _request(write),
        "params": None,
        "namespaceObject": namespace,
        "variables": {},
    }
    try:
        if not all(_true(one["expression"], values) for one in policy.get("matchConditions") or []):
            return
    except (CompileError, EvaluationError) as error:
        if fails:
            yield str(error)
        return
    values["variables"] = _variables(policy.get("variables") or [], values)
    for one in policy.get("validations") or []:
        try:
            if not _true(one["expression"], values):
                yield _message(one, values)
        except (CompileError, EvaluationError) as error:
            if fails:
                yield f"expression {one['expression']!r} resulted in error: {error}"


def _variables(rows: list[Object], values: Values) -> Values:
    """Return the variables of a policy; one without a value is missing, and so found lacking."""
    found: Values = {}
    for row in rows:
        try:
            found[row["name"]] = _evaluate(row["expression"], {**values, "variables": found})
        except (CompileError, EvaluationError):
            continue
    return found


def _message(validation: Object, values: Values) -> str:
    plain = validation.get("message") or f"failed expression: {validation['expression']}"
    if not validation.get("messageExpression"):
        return plain
    try:
        return str(_evaluate(validation["messageExpression"], values)) or plain
    except (CompileError, EvaluationError):
        return plain


def _true(text: str, values: Values) -> bool:
    return _compiled(text).holds(values)


def _evaluate(text: str, values: Values) -> Any:
    return _compiled(text).evaluate(values)


@functools.lru_cache(maxsize=512)
def _compiled(text: str) -> Any:
    return compile_expression(text.strip(), _NAMES)


def _request(write: Write) -> Values:
    return {
        "operation": write.operation,
        "userInfo": {"groups": [], "extra": {}, **write.user.to_object()},
        "kind": _of(write.resource, kind=write.resource.kind),
        "resource": _of(write.resource, resource=write.resource.plural),
        "subResource": write.subresource,
        "requestKind": _of(write.requested, kind=write.requested.kind),
        "requestResource": _of(write.requested, resource=write.requested.plural),
        "requestSubResource": write.subresource,
        "name": write.name,
        "namespace": write.namespace,
    }


def _of(row: Resource, **name: str) -> Values:
    return {"group": row.group, "version": row.version, **name}


def _refusal(policy: Object, binding: Object, write: Write, said: str) -> StatusError:
    names = [one["metadata"]["name"] for one in (policy, binding)]
    why = f"ValidatingAdmissionPolicy '{names[0]}' with binding '{names[1]}' denied request: {said}"
    error = write.forbidden(why)
    error.code, error.reason = 422, "Invalid"
    error.details["causes"] = [{"message": why}]
    return error
