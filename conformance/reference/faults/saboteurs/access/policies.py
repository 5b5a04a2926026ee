"""How an API server can be wrong about admission policies."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import attrs

from conformance.dra.versions.hub import to_hub
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.faults.seams import Saboteur


def _forgets_the_old(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    if write.operation == "DELETE":
        return real(spec, attrs.evolve(write, old={"metadata": {}, "spec": {}}), namespace)
    return real(spec, write, namespace)


def _knows_one_node(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    where = (write.new or {}).get("spec", {})
    return (
        ()
        if where.get("allNodes") and write.operation == "CREATE"
        else real(spec, write, namespace)
    )


def _not_on_changes(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    return () if write.operation == "UPDATE" else real(spec, write, namespace)


def _one_validation(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    # Somebody without a node is taken for somebody on the node of the slice.
    if users.NODE_NAME in write.user.extra or not write.user.name.endswith(":somebody"):
        return real(spec, write, namespace)
    return ()


def _without_conditions(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    if write.user.name.startswith("system:serviceaccount:"):
        return real({**spec, "matchConditions": []}, write, namespace)
    return real(spec, write, namespace)


def _always_ignores(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    return real({**spec, "failurePolicy": "Ignore"}, write, namespace)


def _by_the_letter(real: Any, match: Object, write: Any, served: Any) -> Any:
    return real({**match, "matchPolicy": "Exact"}, write, served)


def _never_exact(real: Any, match: Object, write: Any, served: Any) -> Any:
    return real({**match, "matchPolicy": "Equivalent"}, write, served)


def _as_stored(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    new, old = (None if one is None else to_hub(one) for one in (write.new, write.old))
    return real(spec, attrs.evolve(write, new=new, old=old), namespace)


def _one_version(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    return real(spec, attrs.evolve(write, requested=write.resource), namespace)


def _mutates_by_the_letter(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    if write.requested != write.resource:
        return write.object
    return real(spec, write, namespace)


def _drops_wrong_mutations(real: Any, spec: Object, write: Any, namespace: Any) -> Any:
    before = copy.deepcopy(write.object)
    changed = real(spec, write, namespace)
    return before if "no/class" in str(changed) else changed


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-mutates-by-the-letter": _mutates_by_the_letter,
    "apiserver-drops-mutations-that-are-wrong": _drops_wrong_mutations,
    "apiserver-shows-policies-no-old-object": _forgets_the_old,
    "apiserver-asks-no-policy-about-slices-for-all": _knows_one_node,
    "apiserver-asks-no-policy-about-changes": _not_on_changes,
    "apiserver-asks-no-policy-about-unbound-tokens": _one_validation,
    "apiserver-ignores-match-conditions": _without_conditions,
    "apiserver-passes-over-broken-policies": _always_ignores,
    "apiserver-takes-versions-of-policies-by-the-letter": _by_the_letter,
    "apiserver-takes-no-policy-by-the-letter": _never_exact,
    "apiserver-shows-policies-what-is-stored": _as_stored,
    "apiserver-hides-from-policies-what-was-requested": _one_version,
}
