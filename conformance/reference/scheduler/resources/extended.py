"""Extended resources that are backed by devices: from a Pod's requests to those of a claim.

Source: KEP-5004, and the DynamicResources plugin of kube-scheduler 1.37.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, cast

import attrs

from conformance.kube.objects import Object, copy_of, name_of, namespace_of, uid_of
from conformance.kube.quantity import parse
from conformance.reference.podclaims import (
    EXTENDED_CLAIM_ANNOTATION,
    IMPLICIT_PREFIX,
    is_for_pod,
)
from conformance.reference.scheduler.fit import requests_of

#: The name of a claim that exists in the scheduler's memory alone; no API object is called so.
_IN_MEMORY = "<extended-resources>"


@attrs.frozen(kw_only=True)
class Asked:
    """What of one Pod is asked of devices on one node: requests, and who uses which."""

    requests: tuple[Object, ...]
    mappings: tuple[Object, ...]


@attrs.frozen(kw_only=True)
class SpecialClaim:
    """The claim that is to be created for a Pod, its allocation, and who uses which request."""

    claim: Object
    allocation: Object
    mappings: tuple[Object, ...]


def classes_by_resource(classes: Collection[Object]) -> Mapping[str, str]:
    """Return the class that serves each extended resource.

    Of several classes with one name the class created last serves it, and of several created
    in the same second the one whose name comes first.
    """
    found: dict[str, Object] = {}
    for one in classes:
        name = one.get("spec", {}).get("extendedResourceName")
        if name and (name not in found or _is_preferred(one, found[name])):
            found[name] = one
    explicit = {resource: name_of(one) for resource, one in found.items()}
    return explicit | {f"{IMPLICIT_PREFIX}{name_of(one)}": name_of(one) for one in classes}


def _is_preferred(one: Object, other: Object) -> bool:
    created = one["metadata"]["creationTimestamp"], other["metadata"]["creationTimestamp"]
    if created[0] == created[1]:
        return name_of(one) < name_of(other)
    return created[0] > created[1]


def backed(pod: Object, serving: Mapping[str, str]) -> Mapping[str, str]:
    """Return the resources that the Pod requests and a class serves, with that class."""
    return {
        resource: serving[resource]
        for resource, amount in requests_of(pod)
        if amount > 0 and resource in serving
    }


def from_devices(resources: Iterable[str], node: Object) -> frozenset[str]:
    """Return those resources that the node itself does not have: devices must provide them."""
    allocatable = node.get("status", {}).get("allocatable") or {}
    return frozenset(name for name in resources if parse(allocatable.get(name, "0")).amount == 0)


def existing(pod: Object, claims: Iterable[Object]) -> Object | None:
    """Return the claim that an earlier attempt made for the Pod's extended resources."""
    for claim in claims:
        annotations = claim["metadata"].get("annotations") or {}
        if annotations.get(EXTENDED_CLAIM_ANNOTATION) == "true" and is_for_pod(pod, claim):
            return claim
    return None


def special_claim(pod: Object, requests: Iterable[Object]) -> Object:
    """Return the claim for the Pod's extended resources, as it is before the API has it."""
    owner = {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": name_of(pod),
        "uid": uid_of(pod),
        "controller": True,
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "name": _IN_MEMORY,
            "namespace": namespace_of(pod),
            "uid": f"{_IN_MEMORY}/{uid_of(pod)}",
            "generateName": f"{name_of(pod)}-extended-resources-",
            "annotations": {EXTENDED_CLAIM_ANNOTATION: "true"},
            "ownerReferences": [owner],
        },
        "spec": {"devices": {"requests": copy_of(cast("Any", list(requests)))}},
    }


def to_create(claim: Object) -> Object:
    """Return the claim as it is created: the API gives it a name and a uid."""
    made = copy_of(claim)
    del made["metadata"]["name"], made["metadata"]["uid"]
    return made


def asked_of(pod: Object, classes: Mapping[str, str], resources: Iterable[str]) -> Asked:
    """Return the requests for devices of these resources, sorted by name, and their users."""
    requests: list[Object] = []
    mappings: list[Object] = []
    for resource in sorted(resources):
        found = _of_resource(pod, resource, classes[resource])
        requests += found.requests
        mappings += found.mappings
    requests.sort(key=lambda request: request["name"])
    return Asked(requests=tuple(requests), mappings=tuple(mappings))


@attrs.frozen
class _Container:
    """A container with its place among all containers of the Pod, init containers first."""

    index: int
    spec: Object
    is_brief: bool

    def asks(self, resource: str) -> int:
        """Return how many devices of a resource the container requests."""
        return int(parse(str(self._requests.get(resource, "0"))).amount)

    def request(self, resource: str, device_class: str, count: int) -> Object:
        """Return the request for so many devices."""
        place = sorted(self._requests).index(resource)
        return {
            "name": f"container-{self.index}-request-{place}",
            "exactly": {
                "deviceClassName": device_class,
                "allocationMode": "ExactCount",
                "count": count,
            },
        }

    def uses(self, resource: str, request: str) -> Object:
        """Return the entry that says that the container uses a request."""
        return {
            "containerName": self.spec["name"],
            "resourceName": resource,
            "requestName": request,
        }

    @property
    def _requests(self) -> Mapping[str, Any]:
        return (self.spec.get("resources") or {}).get("requests") or {}


def _of_resource(pod: Object, resource: str, device_class: str) -> Asked:
    containers = [one for one in _containers(pod) if one.asks(resource)]
    lasting = {
        one.index: one.request(resource, device_class, one.asks(resource))
        for one in containers
        if not one.is_brief
    }
    mappings = [
        one.uses(resource, lasting[one.index]["name"]) for one in containers if one.index in lasting
    ]
    largest: Object | None = None
    shares: list[tuple[_Container, list[str], bool]] = []
    for one in containers:
        if not one.is_brief:
            continue
        later = [request for index, request in lasting.items() if index > one.index]
        lent, missing = _lend(later, one.asks(resource))
        shares.append((one, lent, missing > 0))
        if missing and (largest is None or missing > largest["exactly"]["count"]):
            largest = one.request(resource, device_class, missing)
    for one, lent, needs_more in shares:
        # Init containers run one after the other: the largest request serves them all.
        names = [*lent, *([largest["name"]] if largest and needs_more else [])]
        mappings += [one.uses(resource, name) for name in names]
    own = [largest] if largest else []
    return Asked(requests=(*own, *lasting.values()), mappings=tuple(mappings))


def _lend(requests: Iterable[Object], wanted: int) -> tuple[list[str], int]:
    """Return the requests that an init container may use ahead of their own container.

    The second value is how many devices it needs besides.
    """
    names: list[str] = []
    for request in requests:
        if wanted <= 0:
            break
        names.append(request["name"])
        wanted -= request["exactly"]["count"]
    return names, max(0, wanted)


def _containers(pod: Object) -> Iterator[_Container]:
    spec = pod["spec"]
    inits: list[Object] = spec.get("initContainers") or []
    rest: list[Object] = spec.get("containers") or []
    for index, one in enumerate([*inits, *rest]):
        is_brief = index < len(inits) and one.get("restartPolicy") != "Always"
        yield _Container(index, one, is_brief)
