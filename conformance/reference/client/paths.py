"""Where a resource lives on the server: from (resource, namespace, name) to a path."""

from __future__ import annotations

from urllib.parse import quote

from conformance.kube.resources import RESOURCES, Resource


def resolve(resource: Resource | str) -> Resource:
    """Return the resource itself, or the first one of the table with that plural.

    Raises ``LookupError`` for a plural that no served resource has.
    """
    if isinstance(resource, Resource):
        return resource
    for row in RESOURCES:
        if row.plural == resource:
            return row
    raise LookupError(f"no resource is called {resource!r}")


def path_of(
    resource: Resource | str,
    namespace: str | None = None,
    name: str | None = None,
    subresource: str = "",
) -> str:
    """Return the URL path; a namespaced resource without namespace spans all of them."""
    row = resolve(resource)
    parts = ["api" if not row.group else f"apis/{row.group}", row.version]
    if row.namespaced and namespace:
        parts += ["namespaces", quote(namespace, safe="")]
    parts.append(row.plural)
    if name is not None:
        parts.append(quote(name, safe=""))
    if subresource:
        parts.append(subresource)
    return "/" + "/".join(parts)
