"""The question that authorization answers: who, what verb, on what."""

from __future__ import annotations

import attrs

from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication.users import User


@attrs.frozen(kw_only=True)
class Attributes:
    """One act of one user; ``path`` is set instead of a resource for other URLs."""

    user: User
    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""
    #: What a list, watch or deletion of a collection is limited to, by exact equality.
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def qualified(self) -> str:
        """The resource with its subresource, as rules name it."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource


@attrs.frozen(kw_only=True)
class Decision:
    """The answer, and what it rests on."""

    allowed: bool
    reason: str = ""


def asked_by_review(spec: Object, user: User) -> Attributes:
    """Return the question that the spec of an access review asks about a user."""
    other: Object = spec.get("nonResourceAttributes") or {}
    told: Object = spec.get("resourceAttributes") or {}
    if not told:
        return Attributes(user=user, verb=other.get("verb", ""), path=other.get("path", ""))
    selector: Object = told.get("fieldSelector") or {}
    return Attributes(
        user=user,
        verb=told.get("verb", ""),
        group=told.get("group", ""),
        resource=told.get("resource", ""),
        subresource=told.get("subresource", ""),
        namespace=told.get("namespace", ""),
        name=told.get("name", ""),
        fields=tuple(
            (row.get("key", ""), row["values"][0])
            for row in selector.get("requirements") or []
            if row.get("operator") == "In" and len(row.get("values") or []) == 1
        ),
    )
