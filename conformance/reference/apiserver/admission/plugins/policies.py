"""ValidatingAdmissionPolicies: expressions of an administrator that a write must satisfy.

Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from conformance.cel import CompileError, EvaluationError, compile_expression
from conformance.kube.objects import Object
from conformance.kube.selectors import label_selector
from conformance.kube.status import StatusError
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

    def __init__(self, store: Store, faults: Faults) -> None:
        self._store = store
        self._objections = faults.wrap("apiserver.policy_objections", objections)

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` 422 for what a bound policy refuses."""
        for binding in self._store.list(_BINDINGS):
            spec = binding["spec"]
            policy = self._store.get(_POLICIES, ("", spec.get("policyName", "")))
            if policy is None or "Deny" not in (spec.get("validationActions") or []):
                continue
            limits = spec.get("matchResources")
            if not _concerns(policy["spec"].get("matchConstraints") or {}, write):
                continue
            if limits and not _concerns(limits, write):
                continue
            namespace = self._store.get("/namespaces", ("", write.namespace))
            for said in self._objections(policy["spec"], write, namespace):
                raise _refusal(policy, binding, write, said)


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
    resource = write.resource
    kind = {"group": resource.group, "version": resource.version, "kind": resource.kind}
    row = {"group": resource.group, "version": resource.version, "resource": resource.plural}
    return {
        "operation": write.operation,
        "userInfo": {"groups": [], "extra": {}, **write.user.to_object()},
        "kind": kind,
        "resource": row,
        "subResource": write.subresource,
        "name": write.name,
        "namespace": write.namespace,
    }


def _concerns(match: Object, write: Write) -> bool:
    """Say whether match constraints are about a write."""
    rules = match.get("resourceRules")
    if rules is not None and not any(_matches(rule, write) for rule in rules):
        return False
    if any(_matches(rule, write) for rule in match.get("excludeResourceRules") or []):
        return False
    labels = write.object["metadata"].get("labels") or {}
    return label_selector(match.get("objectSelector")).matches(labels)


def _matches(rule: Object, write: Write) -> bool:
    resource = write.resource
    named = resource.plural + (f"/{write.subresource}" if write.subresource else "")
    wanted = {
        "apiGroups": resource.group,
        "apiVersions": resource.version,
        "operations": write.operation,
    }
    holds = all({value, "*"} & set(rule.get(key) or []) for key, value in wanted.items())
    resources = set(rule.get("resources") or [])
    names = rule.get("resourceNames") or [write.name]
    return holds and bool(resources & {named, "*/*", *_every(write)}) and write.name in names


def _every(write: Write) -> tuple[str, ...]:
    return (f"{write.resource.plural}/*",) if write.subresource else ("*",)


def _refusal(policy: Object, binding: Object, write: Write, said: str) -> StatusError:
    names = [one["metadata"]["name"] for one in (policy, binding)]
    why = f"ValidatingAdmissionPolicy '{names[0]}' with binding '{names[1]}' denied request: {said}"
    error = write.forbidden(why)
    error.code, error.reason = 422, "Invalid"
    error.details["causes"] = [{"message": why}]
    return error
