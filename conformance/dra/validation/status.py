"""The status of a ResourceClaim: reservations, the allocation, and what drivers say."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

from conformance.dra.features import Features
from conformance.dra.strategy import allocated_devices, device_id
from conformance.dra.validation import configs, naming
from conformance.dra.validation.devices import binding_conditions
from conformance.dra.validation.lists import each, each_unique, immutable
from conformance.dra.validation.nodes import node_selector
from conformance.dra.validation.requests import (
    Names,
    reference,
    request_names,
    toleration,
)
from conformance.dra.validation.slices import skip_node_operations
from conformance.dra.vocabulary import (
    CONFIG_SOURCES,
    CONFIGS,
    DEVICE_CONDITIONS,
    DEVICE_DATA_LENGTH,
    DEVICE_IPS,
    HARDWARE_ADDRESS_LENGTH,
    INTERFACE_NAME_LENGTH,
    REQUESTS,
    RESERVED_FOR,
    RESULTS,
)
from conformance.kube.fields import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
)
from conformance.kube.objects import Object

_REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
_REASON_RULE = (
    "a condition reason must start with alphabetic character, optionally followed by a string of "
    "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. "
    "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex "
    "used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
)
_CONDITION_STATUS = ("False", "True", "Unknown")
_REASON_LENGTH = 1024
_MESSAGE_LENGTH = 32 * 1024


def update(new: Object, old: Object, _features: Features) -> Iterator[FieldError]:
    """Check a write of a claim's status."""
    status, before = new.get("status") or {}, old.get("status") or {}
    yield from each_unique(
        status.get("reservedFor"),
        "status.reservedFor",
        _consumer,
        key=lambda one: one.get("uid"),
        limit=RESERVED_FOR,
    )
    allocated = allocated_devices(new)
    yield from each_unique(
        status.get("devices"),
        "status.devices",
        lambda one, path: _device(one, path, allocated),
        key=device_id,
    )
    yield from _reservations(new, status, before)
    allocation, stored = status.get("allocation"), before.get("allocation")
    if allocation is not None and stored is not None:
        yield from immutable(allocation, stored, "status.allocation")
    elif allocation is not None:
        yield from _allocation(allocation, request_names(new.get("spec") or {}))


def _consumer(one: Object, path: str) -> Iterator[FieldError]:
    for field in ("resource", "name", "uid"):
        if not one.get(field):
            yield required(f"{path}.{field}")


def _reservations(claim: Object, status: Object, before: Object) -> Iterator[FieldError]:
    reserved = status.get("reservedFor") or []
    if not reserved:
        return
    if status.get("allocation") is None:
        yield forbidden("status.reservedFor", "may not be specified when `allocated` is not set")
    elif (claim.get("metadata") or {}).get("deletionTimestamp"):
        known = before.get("reservedFor") or []
        if any(one not in known for one in reserved):
            detail = (
                "new entries may not be added while `deallocationRequested` or "
                "`deletionTimestamp` are set"
            )
            yield forbidden("status.reservedFor", detail)


def _allocation(allocation: Object, names: Names) -> Iterator[FieldError]:
    devices, path = allocation.get("devices") or {}, "status.allocation.devices"
    yield from each(
        devices.get("results"),
        f"{path}.results",
        lambda one, at: _result(one, at, names),
        limit=RESULTS,
    )
    yield from each(
        devices.get("config"),
        f"{path}.config",
        lambda one, at: _config(one, at, names),
        limit=2 * CONFIGS,
    )
    if allocation.get("nodeSelector") is not None:
        yield from node_selector(allocation["nodeSelector"], "status.allocation.nodeSelector")


def _result(one: Object, path: str, names: Names) -> Iterator[FieldError]:
    yield from reference(names)(one.get("request", ""), f"{path}.request")
    yield from naming.driver(one.get("driver"), f"{path}.driver")
    yield from naming.pool(one.get("pool"), f"{path}.pool")
    yield from naming.label(one.get("device"), f"{path}.device")
    yield from binding_conditions(one, path)
    yield from each(one.get("tolerations"), f"{path}.tolerations", toleration)
    if one.get("shareID") is not None:
        yield from naming.uid(one["shareID"], f"{path}.shareID")
    yield from skip_node_operations(one.get("skipNodeOperations"), f"{path}.skipNodeOperations")


def _config(one: Object, path: str, names: Names) -> Iterator[FieldError]:
    source = one.get("source")
    if not source:
        yield required(f"{path}.source")
    elif source not in CONFIG_SOURCES:
        yield not_supported(f"{path}.source", source, CONFIG_SOURCES)
    yield from each_unique(
        one.get("requests"), f"{path}.requests", reference(names), limit=REQUESTS
    )
    yield from configs.configuration(one, path)


def _device(one: Object, path: str, allocated: set[tuple[Any, ...]]) -> Iterator[FieldError]:
    yield from naming.driver(one.get("driver"), f"{path}.driver")
    yield from naming.pool(one.get("pool"), f"{path}.pool")
    yield from naming.label(one.get("device"), f"{path}.device")
    if one.get("shareID") is not None:
        yield from naming.uid(one["shareID"], f"{path}.shareID")
    if device_id(one) not in allocated:
        name = "/".join(str(part) for part in device_id(one) if part is not None)
        yield invalid(path, name, "must be an allocated device in the claim")
    present = one.get("conditions") or []
    if len(present) > DEVICE_CONDITIONS:
        yield too_many(f"{path}.conditions", len(present), DEVICE_CONDITIONS)
    yield from conditions(present, f"{path}.conditions")
    if one.get("data") is not None:
        yield from configs.raw(one["data"], f"{path}.data", DEVICE_DATA_LENGTH)
    if one.get("networkData") is not None:
        yield from _network(one["networkData"], f"{path}.networkData")


def _network(data: Object, path: str) -> Iterator[FieldError]:
    if len(data.get("interfaceName") or "") > INTERFACE_NAME_LENGTH:
        yield too_long(f"{path}.interfaceName", INTERFACE_NAME_LENGTH)
    if len(data.get("hardwareAddress") or "") > HARDWARE_ADDRESS_LENGTH:
        yield too_long(f"{path}.hardwareAddress", HARDWARE_ADDRESS_LENGTH)
    yield from each_unique(data.get("ips"), f"{path}.ips", _address, limit=DEVICE_IPS)


def _address(text: str, path: str) -> Iterator[FieldError]:
    """Check an address with its prefix length, spelled canonically; host bits may be set."""
    try:
        address = ipaddress.ip_interface(text) if "/" in text else None
    except ValueError:
        address = None
    if address is None:
        detail = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"
        yield invalid(path, text, detail)
    elif str(address) != text:
        yield invalid(path, text, f'must be in canonical form ("{address}")')


def conditions(present: list[Object] | None, path: str) -> Iterator[FieldError]:
    """Check ``metav1.Condition`` entries: complete, and each type once."""
    seen: set[str] = set()
    for index, one in enumerate(present or []):
        type_ = one.get("type") or ""
        if type_ in seen:
            yield duplicate(f"{path}[{index}]", type_)
        seen.add(type_)
        yield from _condition(one, f"{path}[{index}]")


def _condition(one: Object, path: str) -> Iterator[FieldError]:
    if one.get("type"):
        yield from naming.label_key(one["type"], f"{path}.type")
    else:
        yield required(f"{path}.type", "is required")
    status = one.get("status")
    if not status:
        yield required(f"{path}.status")
    elif status not in _CONDITION_STATUS:
        yield not_supported(f"{path}.status", status, _CONDITION_STATUS)
    generation = one.get("observedGeneration") or 0
    if generation < 0:
        detail = "must be greater than or equal to zero"
        yield invalid(f"{path}.observedGeneration", generation, detail)
    if not one.get("lastTransitionTime"):
        yield required(f"{path}.lastTransitionTime")
    reason = one.get("reason")
    if not reason:
        yield required(f"{path}.reason")
    elif not _REASON.fullmatch(reason):
        yield invalid(f"{path}.reason", reason, _REASON_RULE)
    if len(reason or "") > _REASON_LENGTH:
        yield too_long(f"{path}.reason", _REASON_LENGTH)
    if len(one.get("message") or "") > _MESSAGE_LENGTH:
        yield too_long(f"{path}.message", _MESSAGE_LENGTH)
