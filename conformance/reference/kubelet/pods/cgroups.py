"""What a container may use of its node, and how readily it is killed for it: pure.

Source: kubelet 1.37, ``kuberuntime`` (limits of containers) and ``qos`` (OOM score), KEP-5517.
"""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object
from conformance.kube.quantity import parse
from conformance.reference.footprint import memory_share, taken_by_devices

#: How much less readily than others a Pod is killed that uses no more than it requests.
_GUARANTEED = -997


def limits_of(pod: Object, container: Object) -> Mapping[str, str]:
    """Return bytes of ``memory`` and thousandths of a ``cpu``; ``max`` is no limit.

    What devices take comes on top of a limit; without a limit there is none.
    """
    limits = (container.get("resources") or {}).get("limits") or {}
    devices = taken_by_devices(pod, container["name"])
    found = {"memory": "max", "cpu": "max"}
    for name, scale in (("memory", 1), ("cpu", 1000)):
        if name in limits:
            found[name] = str(int((parse(limits[name]).amount + devices.get(name, 0)) * scale))
    return found


def oom_score(pod: Object, container: Object, memory: int) -> int:
    """Return the OOM score of a container on a node with so many bytes of memory."""
    quality = pod.get("status", {}).get("qosClass", "BestEffort")
    if quality == "Guaranteed":
        return _GUARANTEED
    if quality == "BestEffort":
        return 1000
    requests = (container.get("resources") or {}).get("requests") or {}
    own = int(parse(requests.get("memory", "0")).amount)
    wanted = own + memory_share(pod, container["name"])
    return max(1000 + _GUARANTEED, min(999, 1000 - 1000 * wanted // memory))
