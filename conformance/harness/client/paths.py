"""Where an object of the API lies: a resource, and the URL path that leads there."""

from __future__ import annotations

from conformance.kube.resources import Resource, find


def path_of(
    resource: Resource, namespace: str | None = None, name: str = "", subresource: str = ""
) -> str:
    """Return the URL path of a resource, one object of it, or a subresource."""
    root = f"/apis/{resource.api_version}" if resource.group else f"/api/{resource.version}"
    scope = f"/namespaces/{namespace}" if resource.namespaced and namespace else ""
    rest = "".join(f"/{part}" for part in (name, subresource) if part)
    return f"{root}{scope}/{resource.plural}{rest}"


def known(group: str, version: str, plural: str) -> Resource:
    """Return a resource of the table that the suite relies on; raises ``LookupError``."""
    resource = find(group, version, plural)
    if resource is None:
        raise LookupError(f"the table of resources holds no {plural} in {group}/{version}")
    return resource
