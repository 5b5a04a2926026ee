"""ResourcePoolStatusRequest (v1alpha3, KEP-5677): asked once, answered once."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import naming
from conformance.dra.validation.lists import each, each_unique, immutable
from conformance.dra.validation.status import conditions
from conformance.dra.vocabulary import (
    POOL_CONDITIONS,
    POOL_ERROR_LENGTH,
    POOL_LIMIT_MAX,
    POOL_LIMIT_MIN,
    POOL_SUMMARIES,
    POOLS,
)
from conformance.kube.fields import FieldError, invalid, required, too_long, too_many
from conformance.kube.objects import Object

#: Counts of a pool's devices and slices, each with the least that it may be.
_COUNTS = {
    "resourceSliceCount": 1,
    "totalDevices": 0,
    "allocatedDevices": 0,
    "availableDevices": 0,
    "unavailableDevices": 0,
}


def create(request: Object, _features: Features) -> Iterator[FieldError]:
    """Check a new request."""
    spec = request.get("spec") or {}
    yield from naming.long_driver(spec.get("driver"), "spec.driver")
    if spec.get("poolName") is not None:
        yield from naming.pool_parts(spec["poolName"], "spec.poolName")
    limit = spec.get("limit")
    if limit is not None and limit < POOL_LIMIT_MIN:
        detail = f"must be greater than or equal to {POOL_LIMIT_MIN}"
        yield invalid("spec.limit", limit, detail)
    if limit is not None and limit > POOL_LIMIT_MAX:
        yield invalid("spec.limit", limit, f"must be less than or equal to {POOL_LIMIT_MAX}")
    attribute = spec.get("defaultPartitionTypeAttribute")
    if attribute is not None:
        yield from naming.fully_qualified(attribute, "spec.defaultPartitionTypeAttribute")


def update(new: Object, old: Object, _features: Features) -> Iterator[FieldError]:
    """Refuse any change of the spec."""
    yield from immutable(new.get("spec"), old.get("spec"), "spec")


def update_status(new: Object, old: Object, _features: Features) -> Iterator[FieldError]:
    """Check the answer; once it is there, it stays."""
    before, after = old.get("status"), new.get("status")
    if before is not None:
        yield from immutable(after, before, "status")
    if after is None:
        return
    count = after.get("poolCount")
    if count is None:
        yield required("status.poolCount")
    else:
        yield from _minimum(count, "status.poolCount", 0)
    yield from each(after.get("pools"), "status.pools", _pool, limit=POOLS)
    present = after.get("conditions") or []
    if len(present) > POOL_CONDITIONS:
        yield too_many("status.conditions", len(present), POOL_CONDITIONS)
    if before is None:
        # An answer that is there is compared, its conditions are not checked again.
        yield from conditions(present, "status.conditions")


def _pool(one: Object, path: str) -> Iterator[FieldError]:
    yield from naming.long_driver(one.get("driver"), f"{path}.driver")
    if one.get("poolName"):
        yield from naming.pool(one["poolName"], f"{path}.poolName")
    else:
        yield required(f"{path}.poolName")
    # Zero is the same as absent in Go, so a pool of generation 0 cannot be told of.
    if one.get("generation"):
        yield from _minimum(one["generation"], f"{path}.generation", 0)
    else:
        yield required(f"{path}.generation")
    for field, least in _COUNTS.items():
        if one.get(field) is not None:
            yield from _minimum(one[field], f"{path}.{field}", least)
    if one.get("nodeName") is not None:
        yield from naming.node_name(one["nodeName"], f"{path}.nodeName")
    if len((one.get("validationError") or "").encode()) > POOL_ERROR_LENGTH:
        yield too_long(f"{path}.validationError", POOL_ERROR_LENGTH)

    yield from each_unique(
        one.get("partitionSummary"),
        f"{path}.partitionSummary",
        _partition,
        key=lambda item: (item.get("attribute"), item.get("type")),
        limit=POOL_SUMMARIES,
    )
    if one.get("shareableSummary") is not None:
        yield from _shareable(one["shareableSummary"], f"{path}.shareableSummary")


def _partition(one: Object, path: str) -> Iterator[FieldError]:
    yield from _filled(one, path, "attribute", "type")
    yield from _counted(one, path, "total", "allocatable")


def _shareable(one: Object, path: str) -> Iterator[FieldError]:
    yield from _counted(one, path, "fullyAvailableDevices", "partiallyAvailableDevices")
    yield from each(
        one.get("capacity"),
        f"{path}.capacity",
        lambda item, at: _filled(item, at, "name", "total", "consumed", "available"),
        limit=POOL_SUMMARIES,
    )


def _filled(one: Object, path: str, *fields: str) -> Iterator[FieldError]:
    for field in fields:
        if one.get(field) in (None, ""):
            yield required(f"{path}.{field}")


def _counted(one: Object, path: str, *fields: str) -> Iterator[FieldError]:
    for field in fields:
        if one.get(field) is None:
            yield required(f"{path}.{field}")
        else:
            yield from _minimum(one[field], f"{path}.{field}", 0)


def _minimum(value: int, path: str, least: int) -> Iterator[FieldError]:
    if value < least:
        yield invalid(path, value, f"must be greater than or equal to {least}")
