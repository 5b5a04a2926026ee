"""What a claim counts for against the quota of its namespace.

Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/ and KEP-4381, section
"ResourceQuota"; KEP-5004 for extended resources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from conformance.dra.vocabulary import RESULTS
from conformance.kube.objects import Object, owner_of

#: The names under which the claims and templates of a namespace are counted.
CLAIMS = "count/resourceclaims.resource.k8s.io"
TEMPLATES = "count/resourceclaimtemplates.resource.k8s.io"

#: After the name of a class, and before it.
DEVICES = ".deviceclass.resource.k8s.io/devices"
IMPLICIT = "requests.deviceclass.resource.kubernetes.io/"

_REQUESTS = "requests."


def extended_names(classes: Iterable[Object]) -> dict[str, str]:
    """Return the extended resource of each class that serves one."""
    named = ((one["metadata"]["name"], one["spec"].get("extendedResourceName")) for one in classes)
    return {name: str(resource) for name, resource in named if resource}


def usage_of_claim(
    claim: Object, extended: Mapping[str, str], exempt: Mapping[str, int] | None = None
) -> Counter[str]:
    """Return what a claim counts for, by the name of the limit.

    ``exempt`` is what the Pod of an extended resource's claim counts for already. Where several
    classes serve one extended resource their devices count together; kube-apiserver 1.37.2 counts
    those of one class, whichever a map of Go yields last.
    """
    devices: Counter[str] = Counter()
    for request in claim["spec"].get("devices", {}).get("requests") or []:
        devices.update(_of_request(request))
    counted, shared = Counter({CLAIMS: 1}), Counter[str]()
    for name, number in devices.items():
        counted[name + DEVICES] = number
        shared.update(dict.fromkeys(_extended(name, extended), number))
    shared.subtract(exempt or {})
    return counted + shared


def usage_of_pod(pod: Object) -> Counter[str]:
    """Return how much of each extended resource a Pod that is not over asks for.

    That is the sum of its containers and sidecars, or more while an init container runs beside
    the sidecars that were started before it.
    """
    if (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed"):
        return Counter()
    lasting, peak = Counter[str](), Counter[str]()
    for container in pod["spec"].get("initContainers") or []:
        running = lasting + _of_container(container)
        if container.get("restartPolicy") == "Always":
            lasting = running
        peak |= running
    for container in pod["spec"].get("containers") or []:
        lasting += _of_container(container)
    return lasting | peak


def _of_container(container: Object) -> Counter[str]:
    requests: Object = (container.get("resources") or {}).get("requests") or {}
    return Counter(
        {
            _REQUESTS + name: int(amount)
            for name, amount in requests.items()
            if "/" in name and str(amount).isdecimal()
        }
    )


def _of_request(request: Object) -> Counter[str]:
    if request.get("firstAvailable"):
        most: Counter[str] = Counter()
        for one in request["firstAvailable"]:
            most |= Counter({one["deviceClassName"]: _number(one)})
        return most
    exactly = request.get("exactly")
    return Counter({exactly["deviceClassName"]: _number(exactly)}) if exactly else Counter()


def _number(request: Object) -> int:
    mode = request.get("allocationMode") or "ExactCount"
    if mode == "All":  # as many as a claim can hold
        return RESULTS
    return int(request.get("count") or 1) if mode == "ExactCount" else 0


def _extended(name: str, extended: Mapping[str, str]) -> Iterable[str]:
    yield IMPLICIT + name
    if name in extended:
        yield _REQUESTS + extended[name]


_ANNOTATION = "resource.kubernetes.io/extended-resource-claim"


@attrs.frozen(kw_only=True)
class Holding:
    """What is in one namespace, and the classes of the cluster."""

    claims: Sequence[Object]
    pods: Sequence[Object]
    classes: Sequence[Object]
    templates: Sequence[Object] = ()

    def used(self) -> Counter[str]:
        """Return what counts there, by the name of the limit."""
        total: Counter[str] = Counter({TEMPLATES: len(self.templates)})
        for pod in self.pods:
            total.update(usage_of_pod(pod))
        for claim in self.claims:
            total.update(self.of_claim(claim))
        return total

    def of_claim(self, claim: Object) -> Counter[str]:
        """Return what one claim counts for, whether it is there yet or not."""
        pod = self._served_pod(claim)
        exempt = usage_of_pod(pod) if pod is not None else None
        return usage_of_claim(claim, extended_names(self.classes), exempt)

    def _served_pod(self, claim: Object) -> Object | None:
        """Return the Pod whose extended resources a claim serves, if it truly does so.

        The annotation alone says nothing: the Pod must name the claim or, while it names none,
        own no earlier one.
        """
        meta = claim["metadata"]
        if (meta.get("annotations") or {}).get(_ANNOTATION) != "true":
            return None
        uid = _controlling_pod(claim)
        pod = next((one for one in self.pods if one["metadata"]["uid"] == uid), None)
        if not uid or pod is None:
            return None
        told = (pod.get("status") or {}).get("extendedResourceClaimStatus")
        if told:
            return pod if told.get("resourceClaimName") == meta["name"] else None
        rivals = [one for one in self.claims if _controlling_pod(one) == uid]
        return None if any(_age(one) < _age(claim) for one in rivals) else pod


def _controlling_pod(claim: Object) -> str:
    owner = owner_of(claim) or {}
    is_pod = (owner.get("apiVersion"), owner.get("kind")) == ("v1", "Pod")
    return owner.get("uid", "") if is_pod else ""


def _age(claim: Object) -> tuple[str, str]:
    return claim["metadata"].get("creationTimestamp", ""), claim["metadata"]["name"]
