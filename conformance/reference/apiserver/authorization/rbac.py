"""Roles and bindings: which rules a user has, and whether one of them allows an act.

Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from conformance.kube import selectors
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization.attributes import Attributes, Decision
from conformance.reference.store.memory import Store

GROUP = "rbac.authorization.k8s.io"

_ROLES = f"{GROUP}/roles"
_CLUSTER_ROLES = f"{GROUP}/clusterroles"
_BINDINGS = f"{GROUP}/rolebindings"
_CLUSTER_BINDINGS = f"{GROUP}/clusterrolebindings"

#: ``(rule, attributes) -> bool``: does this rule allow the act?
RuleAllows = Callable[[Object, Attributes], bool]


#: So many answers are remembered.
_REMEMBERED = 4096


class Rules:
    """Which rules a user has, remembered until a role or binding changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._revisions: tuple[int, ...] = ()
        self._known: dict[tuple[str, tuple[str, ...], str], list[Object]] = {}

    def of(self, user: User, namespace: str) -> list[Object]:
        """Return the rules that a user has in the cluster and in a namespace."""
        kinds = (_ROLES, _CLUSTER_ROLES, _BINDINGS, _CLUSTER_BINDINGS)
        revisions = tuple(map(self._store.changed, kinds))
        if revisions != self._revisions or len(self._known) >= _REMEMBERED:
            self._revisions = revisions
            self._known.clear()
        key = (user.name, user.groups, namespace)
        if key not in self._known:
            self._known[key] = list(rules_of(self._store, user, namespace))
        return self._known[key]


def authorize(rules: Rules, asked: Attributes, rule_allows: RuleAllows) -> Decision:
    """Return whether some rule of the user allows the act."""
    for rule in rules.of(asked.user, asked.namespace):
        if rule_allows(rule, asked):
            return Decision(allowed=True, reason="RBAC: allowed by a rule of this user")
    return Decision(allowed=False)


def rules_of(store: Store, user: User, namespace: str) -> Iterator[Object]:
    """Yield the rules that a user has in the cluster and in a namespace."""
    for binding in store.list(_CLUSTER_BINDINGS):
        if _binds(binding, user):
            yield from _rules(store, binding["roleRef"], "")
    if not namespace:
        return
    for binding in store.list(_BINDINGS, namespace):
        if _binds(binding, user):
            yield from _rules(store, binding["roleRef"], namespace)


def rule_allows(rule: Object, asked: Attributes) -> bool:
    """Say whether one rule allows an act."""
    if not _holds(rule.get("verbs"), asked.verb):
        return False
    if asked.path:
        return any(_covers(url, asked.path) for url in rule.get("nonResourceURLs") or [])
    names = rule.get("resourceNames") or []
    return (
        _holds(rule.get("apiGroups"), asked.group)
        and _names_resource(rule.get("resources") or [], asked)
        and (not names or asked.name in names)
    )


def _binds(binding: Object, user: User) -> bool:
    namespace = binding["metadata"].get("namespace", "")
    return any(_is(subject, user, namespace) for subject in binding.get("subjects") or [])


def _is(subject: Object, user: User, namespace: str) -> bool:
    kind, name = subject.get("kind"), subject.get("name", "")
    if kind == "Group":
        return name in user.groups
    if kind == "ServiceAccount":
        where = subject.get("namespace") or namespace
        return user.name == f"{users.ACCOUNT_PREFIX}{where}:{name}"
    return kind == "User" and name == user.name


def _rules(store: Store, reference: Object, namespace: str) -> list[Object]:
    if reference.get("kind") == "Role":
        role = store.get(_ROLES, (namespace, reference.get("name", ""))) if namespace else None
    else:
        role = store.get(_CLUSTER_ROLES, ("", reference.get("name", "")))
    if role is None:
        return []
    aggregation: Object = role.get("aggregationRule") or {}
    wanted = aggregation.get("clusterRoleSelectors") or []
    return _aggregated(store, wanted) if wanted else role.get("rules") or []


def _aggregated(store: Store, wanted: Iterable[Object]) -> list[Object]:
    """Return the rules of the cluster roles that an aggregation selects."""
    found: list[Object] = []
    for role in store.list(_CLUSTER_ROLES):
        labels = role["metadata"].get("labels") or {}
        if any(_selects(selector, labels) for selector in wanted):
            inner: Object = role.get("aggregationRule") or {}
            more = inner.get("clusterRoleSelectors") or []
            found += _aggregated(store, more) if more else role.get("rules") or []
    return found


def _selects(selector: Object, labels: Object) -> bool:
    return selectors.label_selector(selector).matches(labels)


def _holds(wanted: list[str] | None, value: str) -> bool:
    return bool(wanted) and ("*" in wanted or value in wanted)


def _names_resource(resources: list[str], asked: Attributes) -> bool:
    if "*" in resources or asked.qualified in resources:
        return True
    return bool(asked.subresource) and f"*/{asked.subresource}" in resources


def _covers(url: str, path: str) -> bool:
    return url in ("*", path) or (url.endswith("*") and path.startswith(url[:-1]))
