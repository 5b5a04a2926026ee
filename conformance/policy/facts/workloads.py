"""Pods, and what makes them: their spec, their containers, and which ones are DRA drivers."""

from __future__ import annotations

import re
from typing import Any, cast

from conformance.kube.objects import Object
from conformance.policy.facts import rbac
from conformance.policy.paths import pod_steps
from conformance.policy.world import Subject, World, items, part, text, texts

#: The folders of the kubelet where plugins register and put their sockets.
_PLUGINS = re.compile(r"/plugins(_registry)?(/|$)")
#: Drivers of storage use the same folders.
_STORAGE = re.compile(r"(^|[-./])csi([-./]|$)", re.IGNORECASE)
_SLICES = {"resourceslices", "*"}
_MAKERS = ("DaemonSet", "Deployment", "StatefulSet", "Pod")


def pod(subject: Subject) -> Object:
    """Return the spec of the Pod that a workload makes; empty for anything else."""
    steps = pod_steps(subject.kind)
    return part(subject.object, *cast("tuple[str, ...]", steps)) if steps else {}


def containers(subject: Subject) -> list[Object]:
    """Return the containers of the workload's Pod, those that initialise it included."""
    spec = pod(subject)
    return [*items(spec.get("initContainers")), *items(spec.get("containers"))]


def grants(subject: Subject) -> list[Object]:
    """Return the RBAC rules at hand that apply to the workload's service account."""
    spec = pod(subject)
    if not spec:
        return []
    account = text(spec.get("serviceAccountName")) or "default"
    return rbac.granted(subject.world, account, subject.namespace)


def is_driver(subject: Subject) -> bool:
    """Tell whether a workload is a DRA driver's part on the node.

    It mounts the folders of the kubelet's plugins, is none of storage's, and where rules for its
    service account are at hand, they speak of ResourceSlices.
    """
    spec = pod(subject)
    folders = [text(part(one, "hostPath").get("path")) for one in items(spec.get("volumes"))]
    if not any(_PLUGINS.search(folder) for folder in folders):
        return False
    if any(_STORAGE.search(word) for one in containers(subject) for word in _words(one)):
        return False
    rules = grants(subject)
    return not rules or any(_SLICES & set(rule["resources"]) for rule in rules)


def driver_accounts(world: World) -> set[tuple[str, str]]:
    """Return namespace and name of the service accounts of all drivers at hand."""
    subjects = [Subject(object=one, world=world) for one in world.of(*_MAKERS)]
    return {
        (one.namespace, text(pod(one).get("serviceAccountName")) or "default")
        for one in subjects
        if is_driver(one)
    }


def subjects(subject: Subject) -> list[Object]:
    """Return whom a Role or ClusterRole at hand is bound to; ``driver`` tells a driver's."""
    bound = rbac.bound(subject)
    accounts = subject.world.once(driver_accounts) if bound else set[Any]()
    for one in bound:
        one["driver"] = any(
            one["kind"] == "ServiceAccount"
            and one["name"] == name
            and (not namespace or not one["namespace"] or one["namespace"] == namespace)
            for namespace, name in accounts
        )
    return bound


def _words(container: Object) -> list[str]:
    named = [text(container.get("image")), text(container.get("name"))]
    return [*named, *texts(container.get("args")),
            *texts(container.get("command"))]  # fmt: skip
