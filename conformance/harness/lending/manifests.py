"""The ServiceAccount of a driver, as its manifests make it: applied, and given a token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from conformance.harness.client import Api
from conformance.harness.errors import TargetMisconfigured
from conformance.harness.lending.lent import Lent
from conformance.kube.objects import Object, namespace_of
from conformance.kube.status import StatusError

_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_ADMISSION = "/apis/admissionregistration.k8s.io/v1"
_POLICY = "ValidatingAdmissionPolicy"

#: What of the manifests says who the driver is and what it may do; all else is left out.
_PATHS = {
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "Role": _RBAC + "/namespaces/{namespace}/roles",
    "RoleBinding": _RBAC + "/namespaces/{namespace}/rolebindings",
    "ClusterRole": _RBAC + "/clusterroles",
    "ClusterRoleBinding": _RBAC + "/clusterrolebindings",
    _POLICY: _ADMISSION + "/validatingadmissionpolicies",
    f"{_POLICY}Binding": _ADMISSION + "/validatingadmissionpolicybindings",
}

#: The account of a driver of which nobody says what it may do: it may do everything.
ADMINISTRATOR: Sequence[Object] = (
    {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "driver-under-test", "namespace": "kube-system"},
    },
    {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "driver-under-test"},
        "subjects": [
            {"kind": "ServiceAccount", "name": "driver-under-test", "namespace": "kube-system"}
        ],
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "cluster-admin",
        },
    },
)

#: Seconds that the token is valid; longer than any run.
_LIFETIME = 86_400


def read(path: Path) -> list[Object]:
    """Return what the manifests of a file or folder say about accounts and rights.

    Raises ``TargetMisconfigured`` for what can't be read, where there is not exactly one
    ServiceAccount, and for a policy with parameters, which are objects of any kind.
    """
    found = [one for one in _documents(path) if one.get("kind") in _PATHS]
    accounts = [one["metadata"]["name"] for one in found if one["kind"] == "ServiceAccount"]
    if len(accounts) != 1:
        raise TargetMisconfigured(
            f"{path} must hold the one ServiceAccount of the driver, "
            f"and holds {', '.join(accounts) or 'none'}"
        )
    for one in found:
        if one["kind"] == _POLICY and (one.get("spec") or {}).get("paramKind"):
            raise TargetMisconfigured(
                f"{path}: the policy {one['metadata']['name']} has parameters (paramKind), which "
                "are not applied: write their values into it"
            )
    return found


def account(documents: Sequence[Object]) -> tuple[str, str]:
    """Return namespace and name of the ServiceAccount."""
    (found,) = (one for one in documents if one["kind"] == "ServiceAccount")
    return namespace_of(found) or "default", found["metadata"]["name"]


def apply(lent: Lent, documents: Sequence[Object]) -> None:
    """Create what the manifests describe; raises ``TargetMisconfigured`` for what is not taken.

    What is there already stays as it is.
    """
    namespace, _ = account(documents)
    try:
        for space in {namespace, *filter(None, map(namespace_of, documents))}:
            head = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}
            lent.create_unless_there("/api/v1/namespaces", head)
        for one in documents:
            space = namespace_of(one) or "default"
            lent.create_unless_there(_PATHS[one["kind"]].format(namespace=space), one)
    except StatusError as error:
        raise TargetMisconfigured(f"the manifests of the driver are not taken: {error}") from error


def token(api: Api, documents: Sequence[Object], node: str) -> str:
    """Return a new token of the account that is bound to a node.

    Raises ``TargetMisconfigured`` where the API server gives none.
    """
    namespace, name = account(documents)
    try:
        bound = {"apiVersion": "v1", "kind": "Node", "name": node}
        spec: Object = {"expirationSeconds": _LIFETIME, "boundObjectRef": bound}
        return api.token_of(namespace, name, spec)
    except StatusError as error:
        raise TargetMisconfigured(f"the account of the driver gets no token: {error}") from error


def _documents(path: Path) -> Iterator[Object]:
    files = sorted(path.glob("*.y*ml")) if path.is_dir() else [path]
    for file in files:
        try:
            found: list[Any] = list(yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader))
        except OSError as error:
            reason = error.strerror or str(error)
            raise TargetMisconfigured(f"{file} can't be read: {reason}") from error
        except (ValueError, yaml.YAMLError) as error:
            said = " ".join(str(error).split())
            raise TargetMisconfigured(f"{file} is not YAML: {said}") from error
        yield from (one for one in found if isinstance(one, dict) and one.get("metadata"))
