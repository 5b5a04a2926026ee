"""Every decision about access: privileged group, Node authorizer, RBAC; and what was decided."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import attrs

from conformance.dra.features import Features
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization import node, rbac, status_parts
from conformance.reference.apiserver.authorization.attributes import Attributes, Decision
from conformance.reference.faults.seams import Faults
from conformance.reference.store.memory import Store

#: So many acts are remembered, the newest ones.
_REMEMBERED = 20_000

Authorize = Callable[[Attributes], Decision]


@attrs.frozen(kw_only=True)
class Act:
    """One act that was decided, as an administrator would have to grant it."""

    user: str
    verb: str
    group: str
    resource: str
    subresource: str
    namespace: str
    name: str
    allowed: bool


class Access:
    """Decides who may do what, and remembers whom it was asked about."""

    def __init__(self, store: Store, features: Features, faults: Faults) -> None:
        self._store = store
        self._rules = rbac.Rules(store)
        self._granular = faults.wrap("apiserver.granular_status", is_granular)(features)
        self._parts = faults.wrap("apiserver.authorize_parts", status_parts.errors)
        self._authorize: Authorize = faults.wrap("apiserver.authorize", self._decide)
        self._node = faults.wrap("apiserver.authorize_node", node.authorize)
        self._review = faults.wrap("apiserver.review_access", self._authorize)
        self._rule_allows = faults.wrap("apiserver.rule_allows", rbac.rule_allows)
        self._acts: deque[Act] = deque(maxlen=_REMEMBERED)

    def review(self, asked: Attributes) -> Decision:
        """Return whether the user may do that. Nothing is remembered: nobody did it."""
        return self._review(asked)

    def enter(self, asked: Attributes) -> Decision:
        """Return whether the user may do that, and remember that it was done or tried."""
        decision = self._authorize(asked)
        if asked.resource:
            self._acts.append(
                Act(
                    user=asked.user.name,
                    verb=asked.verb,
                    group=asked.group,
                    resource=asked.resource,
                    subresource=asked.subresource,
                    namespace=asked.namespace,
                    name=asked.name,
                    allowed=decision.allowed,
                )
            )
        return decision

    def parts(self, asked: Attributes, new: Object, old: Object) -> Iterable[FieldError]:
        """Return what the asker of an update changes without permission on that part."""
        about = (asked.group, asked.resource, asked.subresource)
        if not self._granular or about != ("resource.k8s.io", "resourceclaims", "status"):
            return ()
        return self._parts(asked, new, old, self.enter)

    def log(self) -> list[Act]:
        """Return what was done or tried, the oldest first."""
        return list(self._acts)

    def rules(self, user: User, namespace: str) -> list[Object]:
        """Return the rules that a user has in a namespace and in the cluster."""
        if users.MASTERS in user.groups:
            return [
                {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]},
                {"verbs": ["*"], "nonResourceURLs": ["*"]},
            ]
        return list(self._rules.of(user, namespace))

    def _decide(self, asked: Attributes) -> Decision:
        if users.MASTERS in asked.user.groups:
            return Decision(allowed=True, reason="privileged")
        decision = self._node(self._store, asked)
        if decision.allowed:
            return decision
        granted = rbac.authorize(self._rules, asked, self._rule_allows)
        return granted if granted.allowed else decision


def is_granular(features: Features) -> bool:
    """Say whether the parts of a claim's status are authorized one by one."""
    return features.enabled(status_parts.GATE)
