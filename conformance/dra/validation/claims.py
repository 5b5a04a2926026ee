"""ResourceClaim and ResourceClaimTemplate: their specs, which never change."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from conformance.dra.features import Features
from conformance.dra.validation import configs, naming
from conformance.dra.validation.lists import each, each_unique, immutable
from conformance.dra.validation.requests import Names, reference, request, request_names
from conformance.dra.vocabulary import (
    ADMIN_ACCESS_LABEL,
    CONFIGS,
    CONSTRAINTS,
    REQUESTS,
)
from conformance.kube.fields import FieldError, forbidden, required
from conformance.kube.objects import Object

_ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required'


def create(claim: Object, features: Features) -> Iterator[FieldError]:
    """Check a new claim."""
    yield from _spec(claim.get("spec") or {}, "spec", features)


def create_template(template: Object, features: Features) -> Iterator[FieldError]:
    """Check a new template: the spec in it is that of a claim."""
    spec = template.get("spec") or {}
    for key, value in ((spec.get("metadata") or {}).get("labels") or {}).items():
        yield from naming.label_key(key, "spec.metadata.labels")
        yield from naming.label_value(value, "spec.metadata.labels")
    yield from _spec(spec.get("spec") or {}, "spec.spec", features)


def update_template(new: Object, old: Object, features: Features) -> Iterator[FieldError]:
    """Refuse any change of the spec of a template; unlike a claim's it is checked again."""
    yield from create_template(new, features)
    yield from immutable(new.get("spec"), old.get("spec"), "spec")


def update(new: Object, old: Object, _features: Features) -> Iterator[FieldError]:
    """Refuse any change of the spec of a claim."""
    yield from immutable(new.get("spec"), old.get("spec"), "spec")


def admin_access(spec: Object, namespace: Object) -> list[FieldError]:
    """Return what forbids admin access in a claim's spec (KEP-5018): the namespace's label.

    For templates pass the claim spec inside; the path is that of a claim all the same, as in
    Kubernetes. Only creation asks, since the spec is immutable.
    """
    labels = (namespace.get("metadata") or {}).get("labels") or {}
    if labels.get(ADMIN_ACCESS_LABEL) == "true":
        return []
    for index, one in enumerate((spec.get("devices") or {}).get("requests") or []):
        if (one.get("exactly") or {}).get("adminAccess"):
            detail = (
                f"admin access to devices requires the `{ADMIN_ACCESS_LABEL}: true` label on the "
                "containing namespace"
            )
            return [forbidden(f"spec.devices.requests[{index}].adminAccess", detail)]
    return []


def _spec(spec: Object, path: str, features: Features) -> Iterator[FieldError]:
    devices, at = spec.get("devices") or {}, f"{path}.devices"
    names = request_names(spec)
    constraints: list[Object] = devices.get("constraints") or []

    def used(*requests: str) -> frozenset[str]:
        return _attributes(constraints, requests)

    yield from each_unique(
        devices.get("requests"),
        f"{at}.requests",
        lambda one, here: request(one, here, features, used),
        key=lambda one: one.get("name"),
        limit=REQUESTS,
    )
    yield from each(
        constraints,
        f"{at}.constraints",
        lambda one, here: _constraint(one, here, names, features),
        limit=CONSTRAINTS,
    )
    yield from each(
        devices.get("config"),
        f"{at}.config",
        lambda one, here: _config(one, here, names),
        limit=CONFIGS,
    )


def _attributes(constraints: list[Object], requests: Collection[str]) -> frozenset[str]:
    """Return the attributes of the constraints that apply to any of these requests."""
    return frozenset(
        one.get("matchAttribute") or one.get("distinctAttribute") or ""
        for one in constraints
        if any(name in requests for name in one.get("requests") or [""])
    )


def _constraint(one: Object, path: str, names: Names, features: Features) -> Iterator[FieldError]:
    yield from each_unique(
        one.get("requests"), f"{path}.requests", reference(names), limit=REQUESTS
    )
    match, distinct = one.get("matchAttribute"), one.get("distinctAttribute")
    if match is not None:
        # Kubernetes 1.37.2 does not look at a second attribute, although it asks for one.
        yield from naming.fully_qualified(match, f"{path}.matchAttribute")
    elif distinct is not None:
        yield from naming.fully_qualified(distinct, f"{path}.distinctAttribute")
    elif features.enabled("DRAConsumableCapacity"):
        yield required(path, f"{_ONE_ATTRIBUTE}, but multiple fields are set")
    else:
        yield required(f"{path}.matchAttribute")


def _config(one: Object, path: str, names: Names) -> Iterator[FieldError]:
    yield from each_unique(
        one.get("requests"), f"{path}.requests", reference(names), limit=REQUESTS
    )
    yield from configs.configuration(one, path)
