"""What a kubelet may do: only what concerns the Pods and the slices of its own node.

Source: https://kubernetes.io/docs/reference/access-authn-authz/node/
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conformance.kube.objects import Object
from conformance.reference.apiserver.authorization.attributes import Attributes, Decision
from conformance.reference.store.memory import Store

DRA = "resource.k8s.io"

_WRITES = ("update", "patch")
_READS = ("get", "list", "watch")
_LEASES = "kube-node-lease"

#: Verbs and resources that every kubelet has for whatever object.
_UNIFORM: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = (
    (("create",), "authentication.k8s.io", ("tokenreviews",)),
    (("create",), "authorization.k8s.io", ("subjectaccessreviews", "localsubjectaccessreviews")),
    (_READS, "", ("services",)),
    (("create", *_WRITES), "", ("events",)),
    (("create", *_WRITES), "events.k8s.io", ("events",)),
)

_Rule = Callable[[Store, str, Attributes], bool]


def authorize(store: Store, asked: Attributes) -> Decision:
    """Return whether the kubelet that asks may do so; no opinion about anybody else."""
    node = asked.user.node
    if not node or asked.path:
        return Decision(allowed=False)
    rule = _RULES.get((asked.group, asked.resource), _uniform)
    if rule(store, node, asked):
        return Decision(allowed=True, reason="Node: it concerns the node")
    reason = f"no relationship found between node '{node}' and this object"
    return Decision(allowed=False, reason=reason)


def _uniform(store: Store, node: str, asked: Attributes) -> bool:
    del store, node
    return any(
        asked.verb in verbs and asked.group == group and asked.qualified in resources
        for verbs, group, resources in _UNIFORM
    )


def _claim(store: Store, node: str, asked: Attributes) -> bool:
    """Allow to get the claims of the node's Pods."""
    if asked.verb != "get" or asked.subresource:
        return False
    return any(asked.name in _claims_of(pod) for pod in _pods(store, node, asked.namespace))


def _slice(store: Store, node: str, asked: Attributes) -> bool:
    """Allow slices of the node; what is created is looked at by admission."""
    if asked.subresource:
        return False
    if asked.verb in ("list", "watch", "deletecollection"):
        return ("spec.nodeName", node) in asked.fields
    if asked.verb == "create":
        return True
    found = store.get(f"{DRA}/resourceslices", ("", asked.name))
    return found is not None and found["spec"].get("nodeName") == node


def _node(store: Store, node: str, asked: Attributes) -> bool:
    del store
    if asked.subresource == "status":
        return asked.verb in _WRITES
    if asked.subresource:
        return False
    return asked.verb in ("create", *_WRITES) or (asked.verb in _READS and asked.name == node)


def _pod(store: Store, node: str, asked: Attributes) -> bool:
    if asked.subresource == "status":
        return asked.verb in _WRITES
    if asked.subresource == "eviction":
        return asked.verb == "create"
    if asked.subresource:
        return False
    if asked.verb in ("create", "delete"):
        return True
    if asked.verb in ("list", "watch") and ("spec.nodeName", node) in asked.fields:
        return True
    names = [pod["metadata"]["name"] for pod in _pods(store, node, asked.namespace)]
    return asked.verb in _READS and asked.name in names


def _lease(store: Store, node: str, asked: Attributes) -> bool:
    del store
    if asked.namespace != _LEASES or asked.verb not in ("get", "create", "delete", *_WRITES):
        return False
    return asked.verb == "create" or asked.name == node


def _account(store: Store, node: str, asked: Attributes) -> bool:
    verb = ("create", "token") if asked.subresource else ("get", "")
    accounts = [
        pod["spec"].get("serviceAccountName") or "default"
        for pod in _pods(store, node, asked.namespace)
    ]
    return (asked.verb, asked.subresource) == verb and asked.name in accounts


def _content(store: Store, node: str, asked: Attributes) -> bool:
    """Allow to read the Secrets and ConfigMaps that the node's Pods name."""
    if asked.verb not in _READS or asked.subresource or not asked.namespace:
        return False
    kind = asked.resource
    return any(asked.name in _content_of(pod, kind) for pod in _pods(store, node, asked.namespace))


_RULES: dict[tuple[str, str], _Rule] = {
    (DRA, "resourceclaims"): _claim,
    (DRA, "resourceslices"): _slice,
    ("", "nodes"): _node,
    ("", "pods"): _pod,
    ("", "serviceaccounts"): _account,
    ("", "secrets"): _content,
    ("", "configmaps"): _content,
    ("coordination.k8s.io", "leases"): _lease,
}


def _pods(store: Store, node: str, namespace: str) -> Iterator[Object]:
    for pod in store.list("/pods", namespace):
        if pod["spec"].get("nodeName") == node:
            yield pod


def _claims_of(pod: Object) -> Iterator[str]:
    """Yield the claims that a Pod names, and those that were generated for it."""
    status = pod.get("status") or {}
    for row in pod["spec"].get("resourceClaims") or []:
        if row.get("resourceClaimName"):
            yield row["resourceClaimName"]
    for row in status.get("resourceClaimStatuses") or []:
        if row.get("resourceClaimName"):
            yield row["resourceClaimName"]
    extended = status.get("extendedResourceClaimStatus") or {}
    if extended.get("resourceClaimName"):
        yield extended["resourceClaimName"]


def _content_of(pod: Object, kind: str) -> Iterator[str]:
    volume, name, source, entry = {
        "secrets": ("secret", "secretName", "secretRef", "secretKeyRef"),
        "configmaps": ("configMap", "name", "configMapRef", "configMapKeyRef"),
    }[kind]
    for one in pod["spec"].get("volumes") or []:
        yield (one.get(volume) or {}).get(name, "")
    for container in pod["spec"].get("containers") or []:
        for row in container.get("envFrom") or []:
            yield (row.get(source) or {}).get("name", "")
        for row in container.get("env") or []:
            yield ((row.get("valueFrom") or {}).get(entry) or {}).get("name", "")
