"""What a request asks of an API server, read from its method, its path and its query.

Source: Kubernetes API Concepts, Resource URIs
(https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris), and Authorization,
Determine the Request Verb (https://kubernetes.io/docs/reference/access-authn-authz/authorization/).
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

import attrs

#: What a method does to one object, and what to a collection.
_ONE = {"GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
_MANY = {"GET": "list", "HEAD": "list", "POST": "create", "DELETE": "deletecollection"}

_YES = ("1", "true")


@attrs.frozen(kw_only=True)
class Ask:
    """One request for a resource."""

    verb: str
    #: The API group, empty for the core.
    group: str
    #: The plural.
    resource: str
    #: Empty where there is none.
    subresource: str = ""
    #: Empty for a collection.
    name: str = ""
    #: The equalities of its field selector.
    fields: Mapping[str, str] = attrs.field(factory=dict)


def read(method: str, path: str, query: Mapping[str, str]) -> Ask | None:
    """Return what is asked, None for what is no resource, such as ``/version``."""
    parts = [unquote(one) for one in path.strip("/").split("/")]
    if parts[0] == "api" and len(parts) > 2:
        group, rest = "", parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, rest = parts[1], parts[3:]
    else:
        return None
    if rest[0] == "namespaces" and len(rest) > 2:
        rest = rest[2:]
    resource, name, subresource = (*rest, "", "")[:3]
    if not name:
        verb = _MANY.get(method, "")
        watches = query.get("watch", "") in _YES and verb == "list"
    else:
        # A subresource is created below an object, such as a token.
        verb, watches = _ONE.get(method, "create"), False
    return Ask(
        verb="watch" if watches else verb,
        group=group,
        resource=resource,
        subresource=subresource,
        name=name,
        fields=dict(_equalities(query.get("fieldSelector", ""))),
    )


def _equalities(selector: str) -> list[tuple[str, str]]:
    rows = (one.replace("==", "=").partition("=") for one in selector.split(",") if "!=" not in one)
    return [(name.strip(), value.strip()) for name, sign, value in rows if sign]
