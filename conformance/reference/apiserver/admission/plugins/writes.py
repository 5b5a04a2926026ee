"""What admission looks at: one object that somebody wants to write."""

from __future__ import annotations

import attrs

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication.users import User

CREATE, UPDATE, DELETE = "CREATE", "UPDATE", "DELETE"


@attrs.frozen(kw_only=True)
class Write:
    """A creation has no old object, a deletion no new one.

    ``resource`` is of the version in which a plugin sees the objects, ``requested`` of the one in
    which they were written.
    """

    user: User
    operation: str
    resource: Resource
    subresource: str
    new: Object | None
    old: Object | None
    requested: Resource = attrs.field(
        default=attrs.Factory(lambda self: self.resource, takes_self=True)
    )

    @property
    def object(self) -> Object:
        """The object as it is going to be, or as it was before it goes."""
        return self.new if self.new is not None else self.old or {}

    @property
    def metadata(self) -> Object:
        """Its metadata, empty where it was sent without: validation comes later."""
        return self.object.get("metadata", {})

    @property
    def namespace(self) -> str:
        """Its namespace, empty outside of all of them."""
        return self.metadata.get("namespace", "")

    @property
    def name(self) -> str:
        """Its name."""
        return self.metadata.get("name", "")

    def forbidden(self, why: str) -> StatusError:
        """Return 403: admission does not let it pass."""
        return status.forbidden(self.resource.plural, self.resource.group, self.name, why)
