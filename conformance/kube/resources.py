"""The kinds of the API that this project knows, as a table."""

from __future__ import annotations

import attrs

#: What can be done with most resources.
VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


@attrs.frozen(kw_only=True)
class Resource:
    """One resource of one API version."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool
    singular: str = ""
    short_names: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    verbs: tuple[str, ...] = VERBS
    categories: tuple[str, ...] = ()

    @property
    def api_version(self) -> str:
        """Return what stands in an object's apiVersion."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def qualified(self) -> str:
        """Return the plural with its group, as messages name it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


_DRA = "resource.k8s.io"
_RBAC = "rbac.authorization.k8s.io"

#: group, version, plural, kind, namespaced, short names, subresources
_ROWS = (
    ("", "v1", "namespaces", "Namespace", False, ("ns",), ("status", "finalize")),
    ("", "v1", "nodes", "Node", False, ("no",), ("status",)),
    ("", "v1", "pods", "Pod", True, ("po",), ("status", "binding", "log", "eviction")),
    ("", "v1", "serviceaccounts", "ServiceAccount", True, ("sa",), ()),
    ("", "v1", "events", "Event", True, ("ev",), ()),
    ("", "v1", "configmaps", "ConfigMap", True, ("cm",), ()),
    ("", "v1", "secrets", "Secret", True, (), ()),
    ("", "v1", "services", "Service", True, ("svc",), ("status",)),
    ("", "v1", "resourcequotas", "ResourceQuota", True, ("quota",), ("status",)),
    ("apps", "v1", "daemonsets", "DaemonSet", True, ("ds",), ("status",)),
    ("apps", "v1", "deployments", "Deployment", True, ("deploy",), ("status",)),
    (_DRA, "v1", "deviceclasses", "DeviceClass", False, (), ()),
    (_DRA, "v1", "resourceclaims", "ResourceClaim", True, (), ("status",)),
    (_DRA, "v1", "resourceclaimtemplates", "ResourceClaimTemplate", True, (), ()),
    (_DRA, "v1", "resourceslices", "ResourceSlice", False, (), ()),
    (_DRA, "v1", "devicetaintrules", "DeviceTaintRule", False, (), ("status",)),
    (
        _DRA,
        "v1alpha3",
        "resourcepoolstatusrequests",
        "ResourcePoolStatusRequest",
        False,
        (),
        ("status",),
    ),
    (_RBAC, "v1", "roles", "Role", True, (), ()),
    (_RBAC, "v1", "rolebindings", "RoleBinding", True, (), ()),
    (_RBAC, "v1", "clusterroles", "ClusterRole", False, (), ()),
    (_RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding", False, (), ()),
    ("coordination.k8s.io", "v1", "leases", "Lease", True, (), ()),
    ("events.k8s.io", "v1", "events", "Event", True, ("ev",), ()),
)

#: Every resource, in the order of discovery.
RESOURCES: tuple[Resource, ...] = tuple(
    Resource(
        group=group,
        version=version,
        plural=plural,
        kind=kind,
        namespaced=namespaced,
        singular=kind.lower(),
        short_names=short_names,
        subresources=subresources,
    )
    for group, version, plural, kind, namespaced, short_names, subresources in _ROWS
)


def find(group: str, version: str, plural: str) -> Resource | None:
    """Return the resource with this group, version and plural, if it is known."""
    for resource in RESOURCES:
        if (resource.group, resource.version, resource.plural) == (group, version, plural):
            return resource
    return None
