"""Feature gates of DRA over the components at hand: where they differ, what they lack."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from attrs import frozen

from conformance.catalogue import loading
from conformance.catalogue.errors import UnknownName
from conformance.catalogue.model import Catalogue
from conformance.kube.objects import Object
from conformance.policy.facts import components, workloads
from conformance.policy.world import Subject, World, items, part, text

_API, _MANAGER, _SCHEDULER, _KUBELET = (
    "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet",
)  # fmt: skip
#: The components that a gate is for, where the documents or Kubernetes' source name them. Of
#: other gates only what is set explicitly is compared.
CONCERNED = {
    "DRADeviceBindingConditions": (_API, _SCHEDULER),
    "DRANodeAllocatableResources": (_API, _SCHEDULER, _KUBELET),
    "DRAPartitionableDevicesType": (_API, _MANAGER),
    "DRAResourcePoolStatus": (_API, _MANAGER),
    "ResourceHealthStatus": (_API, _KUBELET),
}
_KUBEADM = "ClusterConfiguration"
_SECTIONS = {"apiServer": _API, "controllerManager": _MANAGER, "scheduler": _SCHEDULER}
_VERSION = re.compile(r"v?(\d+\.\d+)\.")
_TAG = re.compile(r":v(\d+\.\d+)\.\d+")


@frozen(kw_only=True)
class Component:
    """A component at hand: its gates, and its Kubernetes minor if anything tells it."""

    name: str
    gates: dict[str, bool]
    minor: str


def gates_apart(subject: Subject) -> list[str]:
    """Return the gates of DRA that another component at hand has otherwise than this one."""
    others = subject.world.once(_at_hand)
    found = [
        f"{gate} is {_spelled(ours)} in {mine.name}, and {_spelled(theirs)} in {other.name}"
        for mine in _components(subject)
        for gate in _known()
        for other in others
        if other.name != mine.name
        if (ours := _value(mine, gate)) is not None
        and (theirs := _value(other, gate)) is not None
        and ours != theirs
    ]
    return sorted(set(found))


def gates_unmet(subject: Subject) -> list[str]:
    """Return the gates that are turned on here while one that they depend on is off."""
    return [
        f"{gate} needs {needed}"
        for mine in _components(subject)
        for gate, needs in _known().items()
        if mine.gates.get(gate)
        for needed in needs
        if _effective(mine, needed) is False
    ]


def manager_flags(subject: Subject) -> dict[str, str]:
    """Return the flags of kube-controller-manager in a ClusterConfiguration of kubeadm."""
    return _extra(subject.object, "controllerManager")


def _components(subject: Subject) -> list[Component]:
    """Return the components that an object starts or configures: one, or those of kubeadm."""
    if subject.kind != _KUBEADM:
        name = components.component(subject)
        gates = components.gates(subject)
        return [Component(name=name, gates=gates, minor=_minor(subject))] if name else []
    tag = _VERSION.match(text(subject.object.get("kubernetesVersion")))
    return [
        Component(
            name=name,
            gates=components.parsed_gates(_extra(subject.object, section).get("feature-gates", "")),
            minor=tag[1] if tag else "",
        )
        for section, name in _SECTIONS.items()
    ]


def _extra(configuration: Object, section: str) -> dict[str, str]:
    """Return ``extraArgs`` of a section: a map up to v1beta3, a list of pairs from v1beta4."""
    given = part(configuration, section).get("extraArgs")
    rows = {text(one.get("name")): one.get("value") for one in items(given)}
    found: Object = rows or part(configuration, section, "extraArgs")
    return {name: text(value) for name, value in found.items()}


def _at_hand(world: World) -> list[Component]:
    kinds = ("Pod", "KubeletConfiguration", "KubeSchedulerConfiguration", _KUBEADM)
    return [
        component
        for kind in kinds
        for one in world.of(kind)
        for component in _components(Subject(object=one, world=world))
    ]


def _value(component: Component, gate: str) -> bool | None:
    """Return whether a gate is on; None where it is not set and the default is not asked."""
    if gate in component.gates or component.name in CONCERNED.get(gate, ()):
        return _effective(component, gate)
    return None


def _effective(component: Component, gate: str) -> bool | None:
    if gate in component.gates:
        return component.gates[gate]
    try:
        return _law().gates(component.minor).get(gate) if component.minor else None
    except UnknownName:
        # Older than what the law knows.
        return None


def _minor(subject: Subject) -> str:
    """Return the minor that an image's tag, the cluster or its nodes tell, or nothing."""
    for container in workloads.containers(subject):
        tag = _TAG.search(text(container.get("image")))
        if tag:
            return tag[1]
    for version in _told(subject.world):
        tag = _VERSION.match(version)
        if tag:
            return tag[1]
    return ""


def _told(world: World) -> Iterator[str]:
    for one in world.of("Cluster"):
        yield text(one.get("version"))
    versions = {
        text(part(one, "status", "nodeInfo").get("kubeletVersion")) for one in world.of("Node")
    }
    if len(versions) == 1:
        yield from versions


def _spelled(value: bool) -> str:
    return "on" if value else "off"


@functools.cache
def _law() -> Catalogue:
    return loading.load()


@functools.cache
def _known() -> dict[str, tuple[str, ...]]:
    """Return every gate of DRA, with those that its feature depends on."""
    return {
        gate: feature.requires for feature in _law().features.values() for gate in feature.gates
    }
