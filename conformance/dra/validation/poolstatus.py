"""ResourcePoolStatusRequest (v1alpha3, KEP-5677): asked once, answered once."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import naming
from conformance.dra.validation.lists import immutable
from conformance.dra.validation.status import conditions
from conformance.dra.vocabulary import POOL_LIMIT_MAX, POOL_LIMIT_MIN
from conformance.kube.fields import FieldError, invalid, required
from conformance.kube.objects import Object


def create(request: Object, _features: Features) -> Iterator[FieldError]:
    """Check a new request."""
    spec = request.get("spec") or {}
    yield from naming.driver(spec.get("driver"), "spec.driver")
    if spec.get("poolName") is not None:
        yield from naming.pool(spec["poolName"], "spec.poolName")
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
        return
    if after is None:
        return
    count = after.get("poolCount")
    if count is None:
        yield required("status.poolCount")
    elif count < 0:
        yield invalid("status.poolCount", count, "must be greater than or equal to 0")
    yield from conditions(after.get("conditions"), "status.conditions")
