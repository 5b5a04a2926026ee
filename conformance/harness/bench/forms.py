"""Claims of unusual forms, each as the API server takes it and some scheduler may write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.harness.bench import handmade
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.handmade import REQUEST, STRANGER, Place
from conformance.harness.client import known
from conformance.harness.errors import Unsupported
from conformance.kube.objects import Object

#: The label of namespaces in which claims may have admin access.
ADMIN_ACCESS = "resource.kubernetes.io/admin-access"

#: How the name of a field can be wrong.
MISTAKES: Mapping[str, Callable[[Mapping[str, Any], str], Mapping[str, Any]]] = {
    "a-field-more": lambda parameters, _name: {**parameters, "noSuchField": True},
    "another-case": lambda parameters, name: {
        key.swapcase() if key == name else key: value for key, value in parameters.items()
    },
}

_NAMESPACES = known("", "v1", "namespaces")

#: The names of two requests.
_PARTS = ("one", "other")

#: The name of the one alternative of a request.
SUBREQUEST = "alternative"

#: Configuration of a kind that no driver has, with a field that no driver knows.
UNKNOWN: Mapping[str, object] = {
    "apiVersion": "dra-conformance.test/v1",
    "kind": "NoSuchConfiguration",
    "noSuchField": True,
}


def unusual(bench: Bench, form: str) -> Object:
    """Return a new claim of one of the ``FORMS``; raises ``Unsupported`` without a device."""
    place = bench.devices(1)[0]
    claim = handmade.create(bench.world, bench.driver, "unusual")
    allocation = _allocation(bench, claim, place)
    reserved = [bench.consumer()]
    FORMS[form](allocation, reserved)
    return bench.write("unusual", allocation, reserved)


def told_nonsense(bench: Bench, name: str, place: Place) -> Object:
    """Return a new claim with configuration for the driver that it can't know."""
    return told(bench, name, place, UNKNOWN)


def told(bench: Bench, name: str, place: Place, parameters: Mapping[str, Any]) -> Object:
    """Return a new claim with these opaque parameters for the driver."""
    claim = handmade.create(bench.world, bench.driver, name)
    allocation = _allocation(bench, claim, place)
    opaque = {"driver": bench.driver.name, "parameters": dict(parameters)}
    config = allocation["devices"].setdefault("config", [])
    config.append(handmade.told([REQUEST], opaque))
    return bench.write(name, allocation, [bench.consumer()])


def known_parameters(bench: Bench) -> Mapping[str, Any]:
    """Return parameters that the driver takes; raises ``Unsupported`` where nobody tells."""
    if not bench.driver.parameters:
        raise Unsupported(
            "the check needs an example of the driver's opaque parameters: write one into "
            "dra-conformance.yaml, as driver.parameters"
        )
    return bench.driver.parameters


def mistyped(parameters: Mapping[str, Any], how: str) -> Mapping[str, Any]:
    """Return parameters with one of the ``MISTAKES``; raises ``Unsupported`` without a field."""
    own = [name for name in parameters if name not in ("apiVersion", "kind")]
    if not own:
        raise Unsupported("the check needs parameters with a field of their own")
    return MISTAKES[how](parameters, own[0])


def of_a_subrequest(bench: Bench) -> Object:
    """Return a new claim with a device for the one alternative of its request."""
    place = bench.devices(1)[0]
    alternative = {
        "name": SUBREQUEST,
        "deviceClassName": bench.driver.device_class,
        "allocationMode": "ExactCount",
        "count": 1,
    }
    request = {"name": REQUEST, "firstAvailable": [alternative]}
    claim = handmade.requested(bench.world, "alternatives", [request])
    allocation = _allocation(bench, claim, place)
    chosen = f"{REQUEST}/{SUBREQUEST}"
    for one in allocation["devices"]["results"]:
        one["request"] = chosen
    for one in allocation["devices"].get("config") or []:
        one["requests"] = [chosen]
    return bench.write("alternatives", allocation, [bench.consumer()])


def of_two_requests(bench: Bench) -> tuple[Object, dict[str, list[str]]]:
    """Return a new claim with a device for each of two requests, and the requests by device."""
    places = bench.devices(2)
    exactly = {"deviceClassName": bench.driver.device_class}
    claim = handmade.requested(
        bench.world, "parts", [{"name": name, "exactly": exactly} for name in _PARTS]
    )
    allocation = _allocation(bench, claim, *places)
    for name, one in zip(_PARTS, allocation["devices"]["results"], strict=True):
        one["request"] = name
    for one in allocation["devices"].get("config") or []:
        one["requests"] = list(_PARTS)
    written = bench.write("parts", allocation, [bench.consumer()])
    return written, {place.device: [name] for name, place in zip(_PARTS, places, strict=True)}


def of_an_administrator(bench: Bench, place: Place) -> Object:
    """Return a new claim with admin access to a device, whoever has it.

    The namespace of the world is labelled for that from now on.
    """
    labels = {"metadata": {"labels": {ADMIN_ACCESS: "true"}}}
    bench.world.api.patch(_NAMESPACES, bench.world.namespace, labels)
    exactly = {"deviceClassName": bench.driver.device_class, "adminAccess": True}
    claim = handmade.requested(
        bench.world, "administration", [{"name": REQUEST, "exactly": exactly}]
    )
    allocation = _allocation(bench, claim, place)
    for one in allocation["devices"]["results"]:
        one["adminAccess"] = True
    return bench.write("administration", allocation, [bench.consumer()])


def _allocation(bench: Bench, claim: Object, *places: Place) -> Object:
    return handmade.allocation(bench.world, bench.driver, bench.access.name, claim, places)


def _nothing(allocation: Object, _reserved: list[Object]) -> None:
    allocation["devices"] = {}


def _of_others(allocation: Object, _reserved: list[Object]) -> None:
    allocation["devices"].pop("config", None)
    for one in allocation["devices"]["results"]:
        one["driver"] = STRANGER


def _for_nobody(_allocation: Object, reserved: list[Object]) -> None:
    reserved.clear()


def _for_two_pods(_allocation: Object, reserved: list[Object]) -> None:
    reserved.append({"resource": "pods", "name": "another", "uid": "another-uid"})


def _for_no_pod(_allocation: Object, reserved: list[Object]) -> None:
    reserved[:] = [
        {"apiGroup": "dra-conformance.test", "resource": "jobs", "name": "job", "uid": "job-uid"}
    ]


#: What is done to an allocation of one device and to the consumers that it is reserved for.
FORMS: Mapping[str, Callable[[Object, list[Object]], None]] = {
    "nothing-allocated": _nothing,
    "devices-of-others-alone": _of_others,
    "reserved-for-nobody": _for_nobody,
    "reserved-for-two-pods": _for_two_pods,
    "reserved-for-what-is-no-pod": _for_no_pod,
}
