"""What a cluster runs on: runtimes of nodes, and what provides nodes."""

from __future__ import annotations

import re

from conformance.kube.objects import Object
from conformance.policy.facts import components, workloads
from conformance.policy.world import Subject, items, part, text

_TAG = re.compile(r":v?(\d+)\.(\d+)(?:\.(\d+))?")
_AUTO = "eks.amazonaws.com"
_AUTO_LABEL = f"{_AUTO}/compute-type"


def runtime(subject: Subject) -> Object:
    """Return ``name`` and ``version`` of a Node's container runtime, empty where unknown."""
    told = text(part(subject.object, "status", "nodeInfo").get("containerRuntimeVersion"))
    name, _, version = told.partition("://")
    return {"name": name, "version": version}


def karpenter(subject: Subject) -> Object:
    """Return what a Deployment of Karpenter is: ``minor`` and ``ignores``; empty for others.

    ``minor`` is the second number of version 1, 0 for an older one and -1 where the image has
    no such tag. ``ignores`` tells whether it ignores requests for devices, which is the default.
    """
    for container in workloads.containers(subject):
        image = text(container.get("image"))
        if "karpenter" in image:
            return {"minor": _minor(image), "ignores": _ignores(subject)}
    return {}


def cluster_autoscaler(subject: Subject) -> Object:
    """Return what a Deployment of Cluster Autoscaler is: ``handles``; empty for others.

    Up to 1.34 it handles claims where a flag says so, from 1.35 on always.
    """
    for container in workloads.containers(subject):
        image = text(container.get("image")).split("@")[0]
        if image.rsplit("/", 1)[-1].split(":")[0].startswith("cluster-autoscaler"):
            flag = components.args(subject).get("--enable-dynamic-resource-allocation")
            return {"handles": flag == "true" or (flag is None and _minor(image) >= 35)}
    return {}


def auto_mode(subject: Subject) -> bool:
    """Tell whether an object asks for nodes of EKS Auto Mode: a NodePool or a Pod."""
    reference = part(subject.object, "spec", "template", "spec", "nodeClassRef")
    if subject.kind == "NodePool":
        return reference.get("group") == _AUTO
    return part(workloads.pod(subject), "nodeSelector").get(_AUTO_LABEL) == "auto"


def _minor(image: str) -> int:
    tag = _TAG.search(image.rsplit("/", 1)[-1])
    if tag is None:
        return -1
    return int(tag[2]) if tag[1] == "1" else 0


def _ignores(subject: Subject) -> bool:
    flag = components.args(subject).get("--ignore-dra-requests")
    if flag is not None:
        return flag != "false"
    for container in workloads.containers(subject):
        for one in items(container.get("env")):
            if one.get("name") == "IGNORE_DRA_REQUESTS":
                return text(one.get("value")) != "false"
    return True
