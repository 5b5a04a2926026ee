"""Access and identity reviews: questions that are answered and not stored."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization.access import Access
from conformance.reference.apiserver.authorization.attributes import asked_by_review

_AUTHORIZATION = "authorization.k8s.io"
_AUTHENTICATION = "authentication.k8s.io"


def _review(group: str, kind: str, *, namespaced: bool = False) -> Resource:
    return Resource(
        group=group,
        version="v1",
        plural=f"{kind.lower()}s",
        kind=kind,
        singular=kind.lower(),
        namespaced=namespaced,
        verbs=("create",),
    )


#: What can be asked.
REVIEWS: tuple[Resource, ...] = (
    _review(_AUTHORIZATION, "SelfSubjectAccessReview"),
    _review(_AUTHORIZATION, "SubjectAccessReview"),
    _review(_AUTHORIZATION, "LocalSubjectAccessReview", namespaced=True),
    _review(_AUTHORIZATION, "SelfSubjectRulesReview"),
    _review(_AUTHENTICATION, "SelfSubjectReview"),
    _review(_AUTHENTICATION, "TokenReview"),
)


@attrs.frozen(kw_only=True)
class Reviews:
    """Answers every review; ``owner`` says whose valid token a text is."""

    access: Access
    owner: Callable[[str], User | None]

    def answer(self, obj: Object, user: User) -> Object:
        """Return the review with its status."""
        kind, spec = obj["kind"], obj.get("spec") or {}
        if kind == "SelfSubjectReview":
            status: Object = {"userInfo": user.to_object()}
        elif kind == "TokenReview":
            status = self._token(spec)
        elif kind == "SelfSubjectRulesReview":
            status = self._rules(spec, user)
        else:
            about = user if kind == "SelfSubjectAccessReview" else _subject(spec)
            status = self._access(spec, about)
        return {**obj, "metadata": obj.get("metadata", {}), "status": status}

    def _access(self, spec: Object, user: User) -> Object:
        decision = self.access.review(asked_by_review(spec, user))
        reason = {"reason": decision.reason} if decision.reason else {}
        return {"allowed": decision.allowed, **reason}

    def _rules(self, spec: Object, user: User) -> Object:
        rules = self.access.rules(user, spec.get("namespace", ""))
        return {
            "resourceRules": [rule for rule in rules if rule.get("resources")],
            "nonResourceRules": [rule for rule in rules if rule.get("nonResourceURLs")],
            # What the Node authorizer allows cannot be written as rules.
            "incomplete": bool(user.node),
        }

    def _token(self, spec: Object) -> Object:
        user = self.owner(spec.get("token", ""))
        if user is None:
            return {"authenticated": False, "user": {}, "error": "invalid bearer token"}
        return {"authenticated": True, "user": user.to_object()}


def _subject(spec: Object) -> User:
    extra: Object = spec.get("extra") or {}
    return User(
        name=spec.get("user", ""),
        uid=spec.get("uid", ""),
        groups=tuple(spec.get("groups") or ()),
        extra={key.lower(): tuple(values) for key, values in extra.items()},
    )
