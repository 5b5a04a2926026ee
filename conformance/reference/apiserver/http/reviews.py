"""Access and identity reviews: questions that are answered and not stored."""

from __future__ import annotations

from conformance.kube.objects import Object
from conformance.kube.resources import Resource

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


#: What can be asked; see ``SIMPLIFICATIONS`` for the answers.
REVIEWS: tuple[Resource, ...] = (
    _review(_AUTHORIZATION, "SelfSubjectAccessReview"),
    _review(_AUTHORIZATION, "SubjectAccessReview"),
    _review(_AUTHORIZATION, "LocalSubjectAccessReview", namespaced=True),
    _review(_AUTHORIZATION, "SelfSubjectRulesReview"),
    _review(_AUTHENTICATION, "SelfSubjectReview"),
)


def answer(obj: Object, user: str) -> Object:
    """Return the review with its status."""
    kind = obj["kind"]
    if kind == "SelfSubjectReview":
        status: Object = {"userInfo": {"username": user, "groups": ["system:masters"]}}
    elif kind == "SelfSubjectRulesReview":
        rules = [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]
        status = {
            "resourceRules": rules,
            "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
            "incomplete": False,
        }
    else:
        status = {"allowed": True}
    return {**obj, "metadata": obj.get("metadata", {}), "status": status}
