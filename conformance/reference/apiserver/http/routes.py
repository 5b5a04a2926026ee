"""What a URL path is about."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from conformance.kube.resources import Resource
from conformance.reference.apiserver.registry.context import Target

#: The resources that are served, by (group, version, plural).
Served = Mapping[tuple[str, str, str], Resource]


def find_target(path: str, served: Served) -> Target | None:
    """Return what the path names, or nothing when no served resource has it.

    The paths are those of a Kubernetes API: ``/api/v1/...`` and ``/apis/GROUP/VERSION/...``,
    with ``namespaces/NAMESPACE`` before namespaced resources.
    """
    parts = path.strip("/").split("/")
    if "%" in path:
        parts = [unquote(part) for part in parts]
    if parts[0] == "api" and len(parts) > 2:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        return None
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 2:
        inner = served.get((group, version, rest[2]))
        if inner is not None and inner.namespaced:
            namespace, rest = rest[1], rest[2:]
    resource = served.get((group, version, rest[0]))
    if resource is not None and (rest[0], rest[2:]) == ("nodes", ["proxy", "metrics"]):
        return Target(resource=resource, namespace="", name=rest[1], subresource="proxy")
    if resource is None or len(rest) > 3 or not all(rest):
        return None
    name = rest[1] if len(rest) > 1 else ""
    subresource = rest[2] if len(rest) > 2 else ""
    if name and resource.namespaced and not namespace:
        return None
    if subresource and subresource not in resource.subresources:
        return None
    return Target(resource=resource, namespace=namespace, name=name, subresource=subresource)


def is_of_group(path: str, served: Served) -> bool:
    """Say whether a path lies below a group that is served, whatever it names there."""
    parts = path.strip("/").split("/")
    if parts[0] == "api":
        return len(parts) > 2
    return parts[0] == "apis" and len(parts) > 3 and any(row[0] == parts[1] for row in served)
