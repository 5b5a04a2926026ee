"""NodeRestriction: what a kubelet writes must be about its own node.

The Node authorizer decides by the request alone; what is in the object is looked at here.

Source: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
"""

from __future__ import annotations

from conformance.kube.objects import Object
from conformance.reference.apiserver.admission.plugins.writes import CREATE, DELETE, UPDATE, Write


def admit(write: Write) -> None:
    """Raise ``StatusError`` 403 for a kubelet that writes what is not its own."""
    node = write.user.node
    if not node:
        return
    check = _CHECKS.get((write.resource.plural, write.subresource))
    why = check(write, node) if check else ""
    if why:
        raise write.forbidden(why)


def _slice(write: Write, node: str) -> str:
    if write.operation == UPDATE or write.object["spec"].get("nodeName") == node:
        return ""
    verb = write.operation.lower()
    return f"can only {verb} ResourceSlice with the same NodeName as the requesting node"


def _node(write: Write, node: str) -> str:
    if write.operation == DELETE:
        return "nodes are not deleted by their kubelets"
    return "" if write.name == node else f"node {node!r} is not allowed to modify {write.name!r}"


def _pod(write: Write, node: str) -> str:
    if write.operation == CREATE:
        mirrors = write.metadata.get("annotations") or {}
        is_mirror = "kubernetes.io/config.mirror" in mirrors
        return "" if is_mirror and _on(write.object, node) else "only mirror Pods are created"
    return "" if _on(write.old or {}, node) else f"can only delete Pods of {node!r}"


def _pod_status(write: Write, node: str) -> str:
    if not _on(write.old or {}, node):
        return f"can only update the status of Pods of {node!r}"
    was, now = (write.old or {}).get("status") or {}, write.object.get("status") or {}
    for key in ("resourceClaimStatuses", "extendedResourceClaimStatus"):
        if (was.get(key) or None) != (now.get(key) or None):
            return f"cannot update {key}"
    return ""


def _on(pod: Object, node: str) -> bool:
    return pod.get("spec", {}).get("nodeName") == node


_CHECKS = {
    ("resourceslices", ""): _slice,
    ("nodes", ""): _node,
    ("nodes", "status"): _node,
    ("pods", ""): _pod,
    ("pods", "status"): _pod_status,
}
