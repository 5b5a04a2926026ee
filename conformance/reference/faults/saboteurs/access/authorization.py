"""How an API server can be wrong about who asks and what they may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.reference.faults.seams import Saboteur

#: What the roles for people name together, and no rule of a check does.
_TEMPLATES = "resourceclaimtemplates"


def _decide(when: Callable[[Any], bool], answer: bool) -> Saboteur:
    """Return a saboteur of a decision that answers so for some questions."""

    def saboteur(real: Any, *arguments: Any) -> Any:
        decision, asked = real(*arguments), arguments[-1]
        return attrs.evolve(decision, allowed=answer) if when(asked) else decision

    return saboteur


def _node(when: Callable[[Any], bool], *, answer: bool) -> Saboteur:
    return _decide(lambda asked: bool(asked.user.node) and when(asked), answer)


def _rule(when: Callable[[Any, Any], bool], *, answer: bool) -> Saboteur:
    """Return a saboteur of one rule that answers so for some rules and questions."""

    def saboteur(real: Any, rule: Any, asked: Any) -> bool:
        return answer if when(rule, asked) else real(rule, asked)

    return saboteur


def _users_write(asked: Any) -> bool:
    return asked.qualified in ("resourceclaims", _TEMPLATES)


def _is_of_users(rule: Any) -> bool:
    return _TEMPLATES in (rule.get("resources") or [])


def _without_names(real: Any, rule: Any, asked: Any) -> bool:
    return real({**rule, "resourceNames": []}, asked)


def _with_subresources(real: Any, rule: Any, asked: Any) -> bool:
    if rule.get("resources") == ["resourceclaims"]:
        return real(rule, attrs.evolve(asked, subresource=""))
    return real(rule, asked)


def _forgets_the_node_of_pods(real: Any, token: str) -> Any:
    user = real(token)
    if user is None or "authentication.kubernetes.io/pod-name" not in user.extra:
        return user
    return attrs.evolve(user, extra={})


def _believes_anybody(real: Any, token: str) -> Any:
    return real(token) or _Anybody()


@attrs.frozen
class _Anybody:
    """A user of whom nothing is known but that everything is allowed."""

    name: str = "anybody"
    uid: str = ""
    groups: tuple[str, ...] = ("system:masters",)
    extra: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    node: str = ""


def _allows_all(real: Any, asked: Any) -> Any:
    return attrs.evolve(real(asked), allowed=True)


def _lets_pass(_real: Any, _write: Any) -> None:
    return None


def _hides_the_unreserved(real: Any, store: Any, asked: Any) -> Any:
    decision = real(store, asked)
    if not (asked.user.node and _is("resourceclaims", "get")(asked)):
        return decision
    claim = store.get("resource.k8s.io/resourceclaims", (asked.namespace, asked.name))
    is_reserved = bool(((claim or {}).get("status") or {}).get("reservedFor"))
    return attrs.evolve(decision, allowed=decision.allowed and is_reserved)


def _is(resource: str, *verbs: str) -> Callable[[Any], bool]:
    return lambda asked: asked.resource == resource and asked.verb in verbs


def _forgets(user: str, verb: str, qualified: str) -> Saboteur:
    """Return a saboteur of reviews that denies one act of a component."""

    def is_meant(asked: Any) -> bool:
        about = (asked.verb, asked.qualified)
        return asked.user.name.endswith(user) and about == (verb, qualified)

    return _decide(is_meant, answer=False)


_SCHEDULER, _CLAIMS = ":kube-scheduler", ":resource-claim-controller"
_EVICTION, _POOLS = ":device-taint-eviction-controller", ":resourcepoolstatusrequest-controller"

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-hides-templates-from-viewers": _rule(
        lambda rule, asked: _is_of_users(rule) and _is(_TEMPLATES, "get", "list")(asked),
        answer=False,
    ),
    "apiserver-lets-editors-keep-all-templates": _rule(
        lambda rule, asked: _is_of_users(rule) and _is(_TEMPLATES, "delete")(asked), answer=False
    ),
    "apiserver-lets-viewers-write": _rule(
        lambda rule, asked: _is_of_users(rule) and _users_write(asked), answer=True
    ),
    "apiserver-lets-users-write-the-status": _rule(
        lambda rule, asked: _is_of_users(rule) and asked.subresource == "status", answer=True
    ),
    "apiserver-hides-claims-from-kubelets": _hides_the_unreserved,
    "apiserver-shows-every-claim-to-kubelets": _node(
        lambda asked: _is("resourceclaims", "get")(asked) and not asked.subresource, answer=True
    ),
    "apiserver-lets-kubelets-list-claims": _node(_is("resourceclaims", "list"), answer=True),
    "apiserver-lets-no-kubelet-change-slices": _node(_is("resourceslices", "patch"), answer=False),
    "apiserver-does-not-look-into-new-slices": _lets_pass,
    "apiserver-shows-every-slice-to-kubelets": _node(_is("resourceslices", "get"), answer=True),
    "apiserver-lets-kubelets-list-every-slice": _node(_is("resourceslices", "list"), answer=True),
    "apiserver-shows-templates-to-everybody": _decide(_is(_TEMPLATES, "get"), answer=True),
    "apiserver-ignores-the-names-in-rules": _without_names,
    "apiserver-grants-subresources-with-the-resource": _with_subresources,
    "apiserver-forgets-the-node-of-a-pods-token": _forgets_the_node_of_pods,
    "apiserver-reviews-without-looking": _allows_all,
    "apiserver-believes-any-token": _believes_anybody,
    "apiserver-forgets-that-schedulers-read-slices": _forgets(_SCHEDULER, "list", "resourceslices"),
    "apiserver-forgets-that-schedulers-make-claims": _forgets(
        _SCHEDULER, "create", "resourceclaims"
    ),
    "apiserver-forgets-that-schedulers-read-taint-rules": _forgets(
        _SCHEDULER, "get", "devicetaintrules"
    ),
    "apiserver-forgets-that-controllers-deallocate": _forgets(
        _CLAIMS, "update", "resourceclaims/binding"
    ),
    "apiserver-forgets-that-controllers-make-claims": _forgets(_CLAIMS, "create", "resourceclaims"),
    "apiserver-forgets-that-controllers-evict": _forgets(_EVICTION, "delete", "pods"),
    "apiserver-forgets-that-controllers-report-on-rules": _forgets(
        _EVICTION, "update", "devicetaintrules/status"
    ),
    "apiserver-forgets-that-controllers-answer-requests": _forgets(
        _POOLS, "patch", "resourcepoolstatusrequests/status"
    ),
}
