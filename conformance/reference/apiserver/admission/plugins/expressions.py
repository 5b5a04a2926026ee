"""What the expressions of admission policies read, and what they say.

Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

import functools
from typing import Any

from conformance.cel import CompileError, EvaluationError, compile_expression
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.admission.plugins.writes import Write

#: What an expression can read; ``variables`` are the policy's own.
NAMES = ("object", "oldObject", "request", "params", "namespaceObject", "variables")

Values = dict[str, Any]


def values_of(write: Write, namespace: Object | None) -> Values:
    """Return what expressions read of a write to an object of a namespace."""
    return {
        "object": write.new,
        "oldObject": write.old,
        "request": _request(write),
        "params": None,
        "namespaceObject": namespace,
        "variables": {},
    }


def meets_conditions(policy: Object, values: Values) -> bool:
    """Say whether the conditions of a policy's spec hold.

    Raises ``CompileError`` and ``EvaluationError``.
    """
    return all(true(one["expression"], values) for one in policy.get("matchConditions") or [])


def variables_of(policy: Object, values: Values) -> Values:
    """Return the variables of a policy; one without a value is missing, and so found lacking."""
    found: Values = {}
    for row in policy.get("variables") or []:
        try:
            found[row["name"]] = evaluate(row["expression"], {**values, "variables": found})
        except (CompileError, EvaluationError):
            continue
    return found


def true(text: str, values: Values) -> bool:
    """Say whether an expression holds; raises ``CompileError`` and ``EvaluationError``."""
    return _compiled(text).holds(values)


def evaluate(text: str, values: Values) -> Any:
    """Return the value of an expression; raises ``CompileError`` and ``EvaluationError``."""
    return _compiled(text).evaluate(values)


@functools.lru_cache(maxsize=512)
def _compiled(text: str) -> Any:
    return compile_expression(text.strip(), NAMES)


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


def refusal(policy: Object, binding: Object, write: Write, said: str) -> StatusError:
    """Return 422 for what a policy says of a write."""
    names = [one["metadata"]["name"] for one in (policy, binding)]
    kind = policy["kind"]
    why = f"{kind} '{names[0]}' with binding '{names[1]}' denied request: {said}"
    error = write.forbidden(why)
    error.code, error.reason = 422, "Invalid"
    error.details["causes"] = [{"message": why}]
    return error
