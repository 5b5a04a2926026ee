"""MutatingAdmissionPolicies: what an administrator has changed in an object that is created.

Source: https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
"""

from __future__ import annotations

import functools

import attrs

from conformance.cel import CompileError, EvaluationError, Patch, compile_patch
from conformance.dra.versions import hub
from conformance.kube.objects import Object
from conformance.kube.patch import PatchError, json_patch
from conformance.reference.apiserver.admission.plugins import expressions
from conformance.reference.apiserver.admission.plugins.expressions import NAMES
from conformance.reference.apiserver.admission.plugins.matching import Bound
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.faults.seams import Faults


class Mutations:
    """The bound policies that change what is written."""

    def __init__(self, bound: Bound, faults: Faults) -> None:
        self._bound = bound
        self._mutated = faults.wrap("apiserver.mutated", mutated)

    def mutate(self, write: Write) -> Object:
        """Return the new object, in its stored form, as the policies leave it.

        Raises ``StatusError`` 422 for a policy that has no answer and must not fail.
        """
        for policy, binding, asked in self._bound.about(write):
            namespace = self._bound.namespace(write)
            try:
                changed = hub.to_hub(self._mutated(policy["spec"], asked, namespace))
            except (CompileError, EvaluationError, PatchError) as error:
                if policy["spec"].get("failurePolicy", "Fail") == "Fail":
                    raise expressions.refusal(policy, binding, write, str(error)) from error
                continue
            write = attrs.evolve(write, new=changed)
        return write.object


def mutated(policy: Object, write: Write, namespace: Object | None) -> Object:
    """Return the new object as the spec of a policy leaves it.

    Raises ``CompileError``, ``EvaluationError`` and ``PatchError``.
    """
    values = expressions.values_of(write, namespace)
    if not expressions.meets_conditions(policy, values):
        return write.object
    values["variables"] = expressions.variables_of(policy, values)
    for one in policy.get("mutations") or []:
        if one.get("patchType") != "JSONPatch":
            raise CompileError("only mutations of patchType JSONPatch are understood here")
        patch = _compiled(one["jsonPatch"]["expression"])
        values["object"] = json_patch(values["object"], patch.operations(values))
    return values["object"]


@functools.lru_cache(maxsize=64)
def _compiled(text: str) -> Patch:
    return compile_patch(text.strip(), NAMES)
