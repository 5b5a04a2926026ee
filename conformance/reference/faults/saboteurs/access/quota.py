"""How a cluster can be wrong about what a namespace may ask for."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

_CLAIMS = "count/resourceclaims.resource.k8s.io"
_DEVICES = ".deviceclass.resource.k8s.io/devices"
_IMPLICIT = "requests.deviceclass.resource.kubernetes.io/"


def _as_if(change: Callable[[list[Object]], list[Object]]) -> Saboteur:
    """Return a saboteur that counts a claim as if it had other requests."""

    def saboteur(real: Any, holding: Any, claim: Object) -> Any:
        other = copy.deepcopy(claim)
        devices = other["spec"].get("devices") or {}
        devices["requests"] = change(devices.get("requests") or [])
        return real(holding, other)

    return saboteur


def _exempt(annotation: str) -> Saboteur:
    def saboteur(real: Any, holding: Any, claim: Object) -> Any:
        has_it = annotation in (claim["metadata"].get("annotations") or {})
        return Counter() if has_it else real(holding, claim)

    return saboteur


def _one_of_all(requests: list[Object]) -> list[Object]:
    for request in requests:
        if (request.get("exactly") or {}).get("allocationMode") == "All":
            request["exactly"] |= {"allocationMode": "ExactCount", "count": 1}
    return requests


def _every_way(requests: list[Object]) -> list[Object]:
    ways = [one for request in requests for one in request.get("firstAvailable") or []]
    rest = [request for request in requests if not request.get("firstAvailable")]
    return [*rest, *({"name": one["name"], "exactly": one} for one in ways)]


def _one_more(real: Any, limit: str, used: int, requested: int, hard: str) -> bool:
    return real(limit, used - 1 if limit == _CLAIMS else used, requested, hard)


def _without_implicit(real: Any, holding: Any, claim: Object) -> Any:
    counted = real(holding, claim)
    return Counter({key: one for key, one in counted.items() if not key.startswith(_IMPLICIT)})


def _no_devices(real: Any, one: Object, holding: Any) -> Object:
    status = real(one, holding)
    used = {key: "0" if key.endswith(_DEVICES) else so for key, so in status["used"].items()}
    return {**status, "used": used}


def _never_less(real: Any, one: Object, holding: Any) -> Object:
    status = real(one, holding)
    before = ((one.get("status") or {}).get("used") or {}).get(_CLAIMS, "0")
    if _CLAIMS in status["used"]:
        status["used"][_CLAIMS] = str(max(int(before), int(status["used"][_CLAIMS])))
    return status


def _inits_beside(real: Any, pod: Object) -> Any:
    spec = pod["spec"]
    both = [*(spec.get("initContainers") or []), *spec["containers"]]
    return real({**pod, "spec": {**spec, "initContainers": [], "containers": both}})


def _no_sidecars(real: Any, pod: Object) -> Any:
    inits = [
        {key: one for key, one in container.items() if key != "restartPolicy"}
        for container in pod["spec"].get("initContainers") or []
    ]
    return real({**pod, "spec": {**pod["spec"], "initContainers": inits}})


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-allows-one-claim-too-many": _one_more,
    "apiserver-counts-the-first-request-alone": _as_if(lambda requests: requests[:1]),
    "apiserver-counts-all-devices-as-one": _as_if(_one_of_all),
    "apiserver-adds-up-alternatives": _as_if(_every_way),
    "controller-counts-no-devices": _no_devices,
    "controller-counts-what-is-gone": _never_less,
    "apiserver-exempts-generated-claims": _exempt("resource.kubernetes.io/pod-claim-name"),
    "apiserver-forgets-the-class-as-a-resource": _without_implicit,
    "apiserver-adds-up-init-containers": _inits_beside,
    "apiserver-takes-sidecars-for-init-containers": _no_sidecars,
    "apiserver-exempts-whoever-carries-the-mark": _exempt(
        "resource.kubernetes.io/extended-resource-claim"
    ),
}
