"""Device plugins beside DRA drivers: devices that both advertise, Pods that ask for them."""

from __future__ import annotations

from conformance.policy.facts import references, workloads
from conformance.policy.profiles import loading
from conformance.policy.world import Subject, part, text

#: Labels that only nodes with multi-node NVLink have, and values of others that name them.
_NVLINK_LABELS = ("nvidia.com/gpu.clique", "nvidia.com/mnnvl.clique")
_NVLINK_PRODUCTS = ("GB200", "GB300")
_GPU = "nvidia.com/gpu"


def twice(subject: Subject) -> list[str]:
    """Return the resources of a Node that a device plugin and a DRA driver both advertise.

    The plugin's are those of ``status.allocatable`` with an amount above 0, the driver's those
    of the systems that have slices for the node.
    """
    amounts = part(subject.object, "status", "allocatable")
    drivers = {
        text(part(one, "spec").get("driver"))
        for one in subject.world.of("ResourceSlice")
        if part(one, "spec").get("nodeName") == subject.name and part(one, "spec").get("devices")
    }
    return [
        f"{name} and {driver}"
        for system in loading.systems()
        for driver in system.drivers
        if driver in drivers
        for name, amount in amounts.items()
        if str(amount) != "0" and system.is_plugin_resource(name)
    ]


def device_resources(subject: Subject) -> list[str]:
    """Return the extended resources that a Pod asks for and a device plugin serves."""
    asked = references.extended_resources(workloads.containers(subject))
    return sorted(
        name for name in asked if any(one.is_plugin_resource(name) for one in loading.systems())
    )


def without_domain(subject: Subject) -> bool:
    """Tell whether a Pod wants nodes with multi-node NVLink, and GPUs from the device plugin.

    Such nodes are chosen by a label of the clique or by the name of the product.
    """
    wanted = part(workloads.pod(subject), "nodeSelector")
    chooses = any(
        key in _NVLINK_LABELS or any(product in text(value) for product in _NVLINK_PRODUCTS)
        for key, value in wanted.items()
    )
    asked = references.extended_resources(workloads.containers(subject))
    return chooses and _GPU in asked and not workloads.pod(subject).get("resourceClaims")
