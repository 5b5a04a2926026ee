"""How a Pod names claims, and its containers those that they use.

Source: Kubernetes 1.37 pkg/apis/core/validation (validatePodResourceClaims,
validateResourceClaimNames).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from conformance.kube import names
from conformance.kube.fields import ErrorKind, FieldError, duplicate, invalid, required
from conformance.kube.objects import Object

_SOURCES = ("resourceClaimName", "resourceClaimTemplateName")


def of_pod(entries: Sequence[Object]) -> Iterator[FieldError]:
    """Yield what is wrong with ``spec.resourceClaims``."""
    seen: set[str] = set()
    for index, claim in enumerate(entries):
        path = f"spec.resourceClaims[{index}]"
        name = claim.get("name", "")
        if not name:
            yield required(f"{path}.name")
        elif name in seen:
            yield duplicate(f"{path}.name", name)
        for detail in names.dns_label(name) if name else ():
            yield invalid(f"{path}.name", name, detail)
        seen.add(name)
        yield from _sources(claim, path)


def _sources(claim: Object, path: str) -> Iterator[FieldError]:
    sources = [key for key in _SOURCES if claim.get(key)]
    if len(sources) > 1:
        detail = (
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
        )
        yield invalid(path, claim, detail)
    elif not sources:
        detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
        yield invalid(path, claim, detail)
    for key in sources:
        for detail in names.dns_subdomain(claim[key]):
            yield invalid(f"{path}.{key}", claim[key], detail)


def of_container(
    claims: Sequence[Object], path: str, known: Collection[str]
) -> Iterator[FieldError]:
    """Yield what is wrong with the claims that a container uses, of those that its Pod names."""
    seen: set[tuple[str, str]] = set()
    for index, claim in enumerate(claims):
        where = f"{path}[{index}]"
        name, request = claim.get("name", ""), claim.get("request", "")
        if not name:
            yield required(where)
            continue
        if _overlap(name, request, seen):
            yield duplicate(where, "/".join(filter(None, (name, request))))
        for detail in names.dns_label(request) if request else ():
            yield invalid(f"{where}.request", request, detail)
        seen.add((name, request))
        if name not in known:
            yield FieldError(ErrorKind.NOT_FOUND, where, name)


def _overlap(name: str, request: str, seen: Collection[tuple[str, str]]) -> bool:
    """Say whether one of the entries before is about the same devices."""
    return any(one == name and (not request or other in ("", request)) for one, other in seen)
