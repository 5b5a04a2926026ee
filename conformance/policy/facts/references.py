"""What Pods and claims name: whether it is there, and whether it adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformance.kube.objects import Object
from conformance.policy.facts import workloads
from conformance.policy.world import Subject, items, part, text, texts

_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
_ADMIN_LABEL = "resource.kubernetes.io/admin-access"
#: What names a claim in a Pod, and the kind that it names.
_REFERENCES = {
    "resourceClaimName": "ResourceClaim",
    "resourceClaimTemplateName": "ResourceClaimTemplate",
}


def requests(subject: Subject) -> list[Object]:
    """Return the requests of a claim or template, alternatives of ``firstAvailable`` one by one.

    Each has its name (``request/alternative``), ``deviceClassName`` where there is one, and
    what else the request says.
    """
    return list(_requests(claim_of(subject.object)))


def claim_of(obj: Object) -> Object:
    """Return the ``spec`` of a claim, or that within a template."""
    spec = part(obj, "spec")
    return part(spec, "spec") if obj.get("kind") == "ResourceClaimTemplate" else spec


def device_total(subject: Subject) -> int:
    """Return how many devices a claim asks for; of alternatives the smallest counts."""
    total = 0
    for request in items(part(claim_of(subject.object), "devices").get("requests")):
        counts = [_count(one) for one in _alternatives(request)]
        total += min(counts, default=0)
    return total


def requests_missing(subject: Subject) -> list[str]:
    """Return the names that constraints and configurations use and no request has."""
    devices = part(claim_of(subject.object), "devices")
    known: set[str] = set()
    for request in items(devices.get("requests")):
        name = text(request.get("name"))
        known.add(name)
        known |= {f"{name}/{text(o.get('name'))}" for o in items(request.get("firstAvailable"))}
    rows = [*items(devices.get("constraints")), *items(devices.get("config"))]
    return sorted({name for row in rows for name in texts(row.get("requests"))} - known)


def pod_claims(subject: Subject) -> list[str]:
    """Return the names of a Pod's claims."""
    pod = workloads.pod(subject)
    return [text(one.get("name")) for one in items(pod.get("resourceClaims"))]


def unused_claims(subject: Subject) -> list[str]:
    """Return the claims of a Pod that none of its containers uses."""
    used = {text(one.get("name")) for one in _container_claims(subject)}
    return [name for name in pod_claims(subject) if name not in used]


def broken_claims(subject: Subject) -> list[str]:
    """Return the claims that containers use and their Pod does not have."""
    known = set(pod_claims(subject))
    return sorted({text(one.get("name")) for one in _container_claims(subject)} - known)


def absent(subject: Subject) -> list[str]:
    """Return claims and templates that a Pod names and that are not at hand.

    They are missed only where they could be seen: in a whole cluster (a Node is at hand), or
    where other claims or templates of the namespace are at hand.
    """
    world, namespace = subject.world, subject.namespace
    complete = bool(world.of("Node"))
    if not complete and not any(world.in_namespace(k, namespace) for k in _REFERENCES.values()):
        return []
    return [
        f"{kind} {name}"
        for one in items(workloads.pod(subject).get("resourceClaims"))
        for field, kind in _REFERENCES.items()
        if (name := text(one.get(field))) and world.get(kind, namespace, name) is None
    ]


def absent_classes(subject: Subject) -> list[str]:
    """Return the DeviceClasses that are named and that a whole cluster lacks.

    Claims and templates name them in requests, Pods by the name of an extended resource. Without
    a Node at hand nothing is missed.
    """
    world = subject.world
    if not world.of("Node"):
        return []
    named = {text(one.get("deviceClassName")) for one in requests(subject)} | _asked_of(subject)
    return sorted(one for one in named if one and world.get("DeviceClass", "", one) is None)


def admin_access(subject: Subject) -> list[str]:
    """Return the requests with ``adminAccess`` whose namespace is at hand without the label."""
    namespace = subject.world.get("Namespace", "", subject.namespace or "default")
    if namespace is None or part(namespace, "metadata", "labels").get(_ADMIN_LABEL) == "true":
        return []
    return [text(one.get("name")) for one in requests(subject) if one.get("adminAccess") is True]


def uses_claims(subject: Subject) -> bool:
    """Tell whether anything at hand is about claims: a class, a claim, a template, a slice."""
    kinds = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice")
    return bool(subject.world.of(*kinds))


def whole_devices(subject: Subject) -> bool:
    """Tell whether all claims at hand are of the kind that a device plugin serves as well.

    There is one at least, and each asks for whole devices of one class, without selector,
    capacity, constraint or configuration.
    """
    world = subject.world
    claims = [claim_of(one) for one in world.of("ResourceClaim", "ResourceClaimTemplate")]
    classes = {text(r.get("deviceClassName")) for one in claims for r in _requests(one)}
    return len(classes) == 1 and all(_is_plain(one) for one in claims)


def _is_plain(claim: Object) -> bool:
    devices = part(claim, "devices")
    if items(devices.get("constraints")) or items(devices.get("config")):
        return False
    rows = list(_requests(claim))
    odd = ("selectors", "capacity", "adminAccess", "tolerations")
    return len(rows) == 1 and not any(rows[0].get(field) for field in odd)


def _requests(claim: Object) -> Iterator[Object]:
    for request in items(part(claim, "devices").get("requests")):
        name = text(request.get("name"))
        yield from (
            {**one, "name": f"{name}/{inner}" if (inner := text(one.get("name"))) else name}
            for one in _alternatives(request)
        )


def _alternatives(request: Object) -> list[Object]:
    """Return what of a request the scheduler may choose from; v1beta1 has no ``exactly``."""
    alternatives = items(request.get("firstAvailable"))
    if alternatives:
        return alternatives
    exactly = part(request, "exactly")
    return [exactly or {key: value for key, value in request.items() if key != "name"}]


def _count(request: Object) -> int:
    count = request.get("count", 1)
    return count if isinstance(count, int) and request.get("allocationMode") != "All" else 1


def _container_claims(subject: Subject) -> Iterator[Object]:
    for container in workloads.containers(subject):
        yield from items(part(container, "resources").get("claims"))


def _asked_of(subject: Subject) -> set[str]:
    return {
        name.removeprefix(_CLASS_PREFIX)
        for name in extended_resources(workloads.containers(subject))
        if name.startswith(_CLASS_PREFIX)
    }


def extended_resources(containers: Iterable[Object]) -> set[str]:
    """Return the extended resources that containers ask for."""
    return {
        name
        for container in containers
        for field in ("limits", "requests")
        for name in part(container, "resources", field)
        if "/" in name and not name.startswith(("kubernetes.io/", "hugepages-"))
    }
