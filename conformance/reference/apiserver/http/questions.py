"""What a request asks of authorization, read off its method and URL."""

from __future__ import annotations

from aiohttp import web

from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization.attributes import Attributes
from conformance.reference.apiserver.registry.context import Target

#: Verbs on collections, whose field selectors can limit what they are about.
_SELECTING = ("list", "watch", "deletecollection")


def about(request: web.BaseRequest, user: User, verb: str, target: Target) -> Attributes:
    """Return the question about a resource."""
    row, name = target.resource, target.name
    selector = request.query.get("fieldSelector", "") if verb in _SELECTING else ""
    fields = equalities(selector)
    if verb in _SELECTING and not name:
        # One object by its name is that object, also for a list or watch.
        name = dict(fields).get("metadata.name", "")
    return Attributes(
        user=user,
        verb=verb,
        group=row.group,
        resource=row.plural,
        subresource=target.subresource,
        # A namespace lies in itself.
        namespace=name if row.plural == "namespaces" else target.namespace,
        name=name,
        fields=fields,
    )


def about_path(request: web.BaseRequest, user: User, path: str) -> Attributes:
    """Return the question about a URL that is no resource."""
    return Attributes(user=user, verb=request.method.lower(), path=path)


def equalities(selector: str) -> tuple[tuple[str, str], ...]:
    """Return the fields that a selector sets equal to something; what else it says is left."""
    found: list[tuple[str, str]] = []
    for term in filter(None, selector.split(",")):
        key, sign, value = term.partition("=")
        if sign and not key.endswith("!"):
            found.append((key.strip(), value.removeprefix("=").strip()))
    return tuple(found)
