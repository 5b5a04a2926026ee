"""Where a driver meets its node: folders of the host, names of sockets, taints, ports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from conformance.kube import selectors
from conformance.kube.objects import Object
from conformance.policy.facts import permissions, workloads
from conformance.policy.world import Subject, items, part, text, texts

#: Names of the two folders that a kubelet has for plugins.
_PLUGINS, _REGISTRY = "plugins", "plugins_registry"
#: Folders of the host that hold both; with such a mount a driver has them all.
_ROOT = "kubelet"
#: Characters of a UID of a Pod, and what the plugin library puts around it: ``dra-<uid>.sock``.
_UID = 36
_AROUND_UID = len("dra-") + len(".sock")
#: With it Cluster Autoscaler evicts the Pods of a DaemonSet like others.
_EVICTION = "cluster-autoscaler.kubernetes.io/enable-ds-eviction"
#: Taints that a DaemonSet tolerates of its own accord, or that are about the control plane.
_OWN_TAINTS = ("node.kubernetes.io/", "node-role.kubernetes.io/")


def host_mounts(subject: Subject) -> list[Object]:
    """Return the mounts of folders of the host: ``host``, ``inside``, ``readOnly``."""
    pod = workloads.pod(subject)
    hosts = {
        text(one.get("name")): text(part(one, "hostPath").get("path"))
        for one in items(pod.get("volumes"))
        if part(one, "hostPath")
    }
    return [
        {
            "host": posixpath.normpath(hosts[name]),
            "inside": posixpath.normpath(text(mount.get("mountPath"))),
            "readOnly": mount.get("readOnly") is True,
        }
        for container in workloads.containers(subject)
        for mount in items(container.get("volumeMounts"))
        if (name := text(mount.get("name"))) in hosts
    ]


def folders(subject: Subject) -> list[Object]:
    """Return the mounts that reach the kubelet's folders for plugins.

    Each has ``root`` (the kubelet's root folder), ``plugins`` and ``registry`` (whether it
    reaches that folder) beside what ``hostMounts`` has.
    """
    return [{**one, **reached} for one in host_mounts(subject) if (reached := _reached(one))]


def pod_uid(subject: Subject) -> bool:
    """Tell whether a container gets the UID of its Pod in an environment variable."""
    return any(
        part(one, "valueFrom", "fieldRef").get("fieldPath") == "metadata.uid"
        for container in workloads.containers(subject)
        for one in items(container.get("env"))
    )


def surges(subject: Subject) -> bool:
    """Tell whether a DaemonSet starts a new Pod before it stops the old one."""
    rolling = part(subject.object, "spec", "updateStrategy", "rollingUpdate")
    return str(rolling.get("maxSurge", 0)) not in ("0", "0%", "")


def host_ports(subject: Subject) -> list[str]:
    """Return the ports of the host that the Pods of a workload take, with their containers."""
    on_host = workloads.pod(subject).get("hostNetwork") is True
    return [
        f"{text(container.get('name'))}: {number}"
        for container in workloads.containers(subject)
        for port in items(container.get("ports"))
        if (number := port.get("hostPort") or (port.get("containerPort") if on_host else None))
    ]


def drained_early(subject: Subject) -> str:
    """Return why a drain takes this workload's Pods together with all others, or nothing.

    A Pod that something else made is judged by what made it.
    """
    if part(subject.object, "metadata").get("ownerReferences"):
        return ""
    if subject.kind != "DaemonSet":
        return f"it is a {subject.kind}, and no DaemonSet"
    annotations = part(subject.object, "spec", "template", "metadata", "annotations")
    return f"{_EVICTION} is true" if annotations.get(_EVICTION) == "true" else ""


def drivers(subject: Subject) -> list[str]:
    """Return the names of the drivers that a workload runs.

    They stand in its permission on ``resourceclaims/driver``, or in an environment variable
    ``DRIVER_NAME``; without both the answer is empty.
    """
    named = {
        name
        for rule in workloads.grants(subject)
        if permissions.GROUP in texts(rule.get("apiGroups"))
        and "resourceclaims/driver" in texts(rule.get("resources"))
        for name in texts(rule.get("resourceNames"))
    }
    named |= {
        text(one.get("value"))
        for container in workloads.containers(subject)
        for one in items(container.get("env"))
        if one.get("name") == "DRIVER_NAME"
    }
    return sorted(named - {""})


def socket_length(subject: Subject) -> int:
    """Return the bytes of the longest path of a socket, 0 where the driver's name is unknown.

    The path is ``<plugins>/<driver>/dra-<uid>.sock``; a mount of the driver's own folder
    already has the name in it. Linux takes 108 bytes with the closing zero.
    """
    lengths = [
        len(_folder(one["host"], driver)) + 1 + _AROUND_UID + _UID
        for one in folders(subject)
        if one["plugins"]
        for driver in drivers(subject)
    ]
    return max(lengths, default=0)


def untolerated(subject: Subject) -> list[str]:
    """Return the taints that keep a DaemonSet from nodes that its node selector chooses."""
    pod = workloads.pod(subject)
    tolerations = items(pod.get("tolerations"))
    found: list[str] = []
    for node in subject.world.of("Node"):
        if not _chooses(pod, node):
            continue
        for taint in items(part(node, "spec").get("taints")):
            if _keeps_away(taint) and not any(_tolerates(one, taint) for one in tolerations):
                name = text(part(node, "metadata").get("name"))
                found.append(f"{name}: {text(taint.get('key'))}")
    return found


def dead_ports(subject: Subject) -> list[str]:
    """Return the named ports of a Service that no Pod of a driver behind it has.

    Empty where no workload at hand is behind the Service, or where none of them is a driver.
    """
    behind = [one for one in _behind(subject) if workloads.is_driver(one)]
    if not behind:
        return []
    known = {
        text(port.get("name"))
        for one in behind
        for container in workloads.containers(one)
        for port in items(container.get("ports"))
    }
    asked = [one.get("targetPort") for one in items(part(subject.object, "spec").get("ports"))]
    return [one for one in asked if isinstance(one, str) and one not in known]


def published(subject: Subject) -> bool:
    """Tell whether slices of a workload's drivers are at hand; true where none is known."""
    names = drivers(subject)
    have = {text(part(one, "spec").get("driver")) for one in subject.world.of("ResourceSlice")}
    return not names or bool(have.intersection(names))


def _reached(mount: Object) -> Object:
    """Return what of the kubelet's folders a mount reaches, empty for nothing."""
    parts = text(mount["host"]).split("/")
    if parts[-1] == _ROOT:
        return {"root": mount["host"], "plugins": True, "registry": True}
    for name in (_REGISTRY, _PLUGINS):
        if name in parts:
            root = "/".join(parts[: parts.index(name)])
            return {"root": root, "plugins": name == _PLUGINS, "registry": name == _REGISTRY}
    return {}


def _folder(host: Any, driver: str) -> str:
    folder = text(host)
    if folder.endswith(f"/{_ROOT}"):
        folder = f"{folder}/{_PLUGINS}"
    return folder if folder.endswith(f"/{driver}") else f"{folder}/{driver}"


def _chooses(pod: Object, node: Object) -> bool:
    """Tell whether a Pod's node selector and required affinity choose the node."""
    labels = part(node, "metadata", "labels")
    wanted = part(pod, "nodeSelector")
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    required = part(pod, "affinity", "nodeAffinity",
                    "requiredDuringSchedulingIgnoredDuringExecution")  # fmt: skip
    try:
        return not required or selectors.node_selector_matches(required, node)
    except (selectors.SelectorError, KeyError, TypeError, AttributeError):
        # A malformed affinity chooses nothing: the API server refuses it.
        return False


def _keeps_away(taint: Object) -> bool:
    own = text(taint.get("key")).startswith(_OWN_TAINTS)
    return not own and taint.get("effect") in ("NoSchedule", "NoExecute")


def _tolerates(toleration: Object, taint: Object) -> bool:
    if toleration.get("effect") not in (None, "", taint.get("effect")):
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", taint.get("key"))
    same_value = text(toleration.get("value")) == text(taint.get("value"))
    return toleration.get("key") == taint.get("key") and same_value


def _behind(subject: Subject) -> Iterator[Subject]:
    """Yield the workloads whose Pods the Service selects."""
    wanted = part(subject.object, "spec", "selector")
    for one in subject.world.of("DaemonSet", "Deployment", "StatefulSet", "ReplicaSet"):
        meta = part(one, "spec", "template", "metadata")
        labels = part(meta, "labels")
        here = text(part(one, "metadata").get("namespace")) == subject.namespace
        if wanted and here and all(labels.get(k) == v for k, v in wanted.items()):
            yield Subject(object=one, world=subject.world)
