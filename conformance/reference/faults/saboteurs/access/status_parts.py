"""How an API server can be wrong about who writes which part of a claim's status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.reference.faults.seams import Saboteur

_ASSOCIATED, _ARBITRARY = "associated-node:", "arbitrary-node:"

#: What is asked about a part, the question about the whole, the status as it is going to be.
_Twist = Callable[[Callable[[Any], Any], Any, Any, Any], Any]


def _deciding(twist: _Twist) -> Saboteur:
    """Return a saboteur that answers the questions about single parts in its own way."""

    def saboteur(real: Any, asked: Any, new: Any, old: Any, decide: Any) -> Any:
        return real(asked, new, old, lambda part: twist(decide, part, asked, new))

    return saboteur


def _either(decide: Callable[[Any], Any], part: Any, **other: str) -> Any:
    """Answer with yes where the question, or the same with other words, is allowed."""
    decision = decide(part)
    return decision if decision.allowed else decide(attrs.evolve(part, **other))


def _to_all_on_the_node(decide: Any, part: Any, _asked: Any, _new: Any) -> Any:
    decision = decide(part)
    return _granted(decision) if part.verb.startswith(_ASSOCIATED) else decision


def _granted(decision: Any, allowed: bool = True) -> Any:
    return attrs.evolve(decision, allowed=allowed)


def _binding_anywhere(decide: Any, part: Any, asked: Any, _new: Any) -> Any:
    if part.subresource != "binding":
        return decide(part)
    return _either(decide, part, namespace=asked.namespace, name=asked.name)


def _never_by_node(decide: Any, part: Any, _asked: Any, _new: Any) -> Any:
    decision = decide(part)
    # The bundled driver, which lives in kube-system, goes on as it is.
    of_check = part.verb.startswith(_ASSOCIATED) and "kube-system" not in part.user.name
    return _granted(decision, allowed=False) if of_check else decision


def _by_any_node(decide: Any, part: Any, _asked: Any, _new: Any) -> Any:
    return _either(decide, part, verb=part.verb.replace(_ARBITRARY, _ASSOCIATED))


def _never_without_a_node(decide: Any, part: Any, _asked: Any, new: Any) -> Any:
    decision = decide(part)
    nowhere = part.subresource == "driver" and "nodeSelector" not in new["status"]["allocation"]
    return _granted(decision, allowed=False) if nowhere else decision


def _of_any_driver(decide: Any, part: Any, _asked: Any, _new: Any) -> Any:
    if part.subresource != "driver":
        return decide(part)
    return _either(decide, part, name="another.example.com")


def _by_either_verb(decide: Any, part: Any, _asked: Any, _new: Any) -> Any:
    swapped = {"update": "patch", "patch": "update"}
    prefix, colon, verb = part.verb.rpartition(":")
    return _either(decide, part, verb=f"{prefix}{colon}{swapped[verb]}") if colon else decide(part)


def _lets_go(real: Any, asked: Any, new: Any, old: Any, decide: Any) -> Any:
    errors = list(real(asked, new, old, decide))
    gone = not (new.get("status") or {}).get("allocation")
    return [error for error in errors if not gone or error.path != "status.allocation"]


def _asks_about_all(real: Any, asked: Any, new: Any, old: Any, decide: Any) -> Any:
    status = {key: value for key, value in (old.get("status") or {}).items() if key != "devices"}
    return real(asked, new, {**old, "status": status}, decide)


def _asks_about_what_goes(real: Any, asked: Any, new: Any, old: Any, decide: Any) -> Any:
    yield from real(asked, new, old, decide)
    if (new.get("status") or {}).get("allocation"):
        return
    was = old.get("status") or {}
    # As if the allocation stayed: then the entries that go are asked about.
    kept = {**was, **(new.get("status") or {}), "allocation": was.get("allocation"), "devices": []}
    for error in real(asked, {**new, "status": kept}, old, decide):
        if error.path == "status.devices":
            yield error


def _status_by_binding(real: Any, asked: Any) -> Any:
    decision = real(asked)
    if decision.allowed or (asked.resource, asked.subresource) != ("resourceclaims", "status"):
        return decision
    return real(attrs.evolve(asked, subresource="binding", namespace="", name=""))


def _whatever_the_gate(_real: Any, _features: Any) -> bool:
    return True


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-trusts-whoever-is-on-the-node": _deciding(_to_all_on_the_node),
    "apiserver-lets-anybody-deallocate": _lets_go,
    "apiserver-takes-a-binding-permission-from-anywhere": _deciding(_binding_anywhere),
    "apiserver-knows-no-associated-node": _deciding(_never_by_node),
    "apiserver-takes-every-node-for-associated": _deciding(_by_any_node),
    "apiserver-lets-nobody-report-without-a-node": _deciding(_never_without_a_node),
    "apiserver-takes-one-driver-for-another": _deciding(_of_any_driver),
    "apiserver-takes-binding-for-the-status": _status_by_binding,
    "apiserver-takes-update-for-patch": _deciding(_by_either_verb),
    "apiserver-asks-about-entries-that-stay": _asks_about_all,
    "apiserver-asks-drivers-about-a-deallocation": _asks_about_what_goes,
    "apiserver-asks-about-parts-without-the-gate": _whatever_the_gate,
}
