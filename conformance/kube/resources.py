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
_ADMISSION = "admissionregistration.k8s.io"

_Row = tuple[str, str, str, str, bool, tuple[str, ...], tuple[str, ...]]


def _of_dra(version: str) -> tuple[_Row, ...]:
    """Return the kinds that v1 and its betas have in common."""
    return (
        (_DRA, version, "deviceclasses", "DeviceClass", False, (), ()),
        (_DRA, version, "resourceclaims", "ResourceClaim", True, (), ("status",)),
        (_DRA, version, "resourceclaimtemplates", "ResourceClaimTemplate", True, (), ()),
        (_DRA, version, "resourceslices", "ResourceSlice", False, (), ()),
    )


def _taint_rules(version: str) -> _Row:
    return (_DRA, version, "devicetaintrules", "DeviceTaintRule", False, (), ("status",))


#: Versions in the order in which the group prefers them.
_DRA_ROWS: tuple[_Row, ...] = (
    *_of_dra("v1"),
    _taint_rules("v1"),
    *_of_dra("v1beta2"),
    _taint_rules("v1beta2"),
    *_of_dra("v1beta1"),
    _taint_rules("v1alpha3"),
    (
        _DRA,
        "v1alpha3",
        "resourcepoolstatusrequests",
        "ResourcePoolStatusRequest",
        False,
        (),
        ("status",),
    ),
)

#: group, version, plural, kind, namespaced, short names, subresources
_ROWS: tuple[_Row, ...] = (
    ("", "v1", "namespaces", "Namespace", False, ("ns",), ("status", "finalize")),
    ("", "v1", "nodes", "Node", False, ("no",), ("status",)),
    ("", "v1", "pods", "Pod", True, ("po",), ("status", "binding", "log", "eviction")),
    ("", "v1", "serviceaccounts", "ServiceAccount", True, ("sa",), ("token",)),
    ("", "v1", "events", "Event", True, ("ev",), ()),
    ("", "v1", "configmaps", "ConfigMap", True, ("cm",), ()),
    ("", "v1", "secrets", "Secret", True, (), ()),
    ("", "v1", "services", "Service", True, ("svc",), ("status",)),
    ("", "v1", "resourcequotas", "ResourceQuota", True, ("quota",), ("status",)),
    ("apps", "v1", "daemonsets", "DaemonSet", True, ("ds",), ("status",)),
    ("apps", "v1", "deployments", "Deployment", True, ("deploy",), ("status",)),
    ("apps", "v1", "replicasets", "ReplicaSet", True, ("rs",), ("status",)),
    *_DRA_ROWS,
    (_RBAC, "v1", "roles", "Role", True, (), ()),
    (_RBAC, "v1", "rolebindings", "RoleBinding", True, (), ()),
    (_RBAC, "v1", "clusterroles", "ClusterRole", False, (), ()),
    (_RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding", False, (), ()),
    (
        _ADMISSION,
        "v1",
        "validatingadmissionpolicies",
        "ValidatingAdmissionPolicy",
        False,
        (),
        ("status",),
    ),
    (
        _ADMISSION,
        "v1",
        "validatingadmissionpolicybindings",
        "ValidatingAdmissionPolicyBinding",
        False,
        (),
        (),
    ),
    (_ADMISSION, "v1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy", False, (), ()),
    (
        _ADMISSION,
        "v1",
        "mutatingadmissionpolicybindings",
        "MutatingAdmissionPolicyBinding",
        False,
        (),
        (),
    ),
    ("coordination.k8s.io", "v1", "leases", "Lease", True, (), ()),
    ("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", False, ("pc",), ()),
    ("scheduling.k8s.io", "v1beta1", "podgroups", "PodGroup", True, (), ("status",)),
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

#: The preferred version of every resource.
PREFERRED: tuple[Resource, ...] = tuple(
    {(row.group, row.plural): row for row in reversed(RESOURCES)}.values()
)[::-1]


def preferred(resource: Resource) -> Resource:
    """Return the preferred version of a resource of the table."""
    return next(
        row for row in PREFERRED if (row.group, row.plural) == (resource.group, resource.plural)
    )


def find(group: str, version: str, plural: str) -> Resource | None:
    """Return the resource with this group, version and plural, if it is known."""
    for resource in RESOURCES:
        if (resource.group, resource.version, resource.plural) == (group, version, plural):
            return resource
    return None
