"""ResourceSlices in Kubernetes' protobuf encoding: read, and written without some of their fields.

Source: k8s.io/apimachinery pkg/runtime/serializer/protobuf.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError

from conformance.wire import kubernetes

MAGIC = b"k8s\x00"
_UNKNOWN = "k8s.io.apimachinery.pkg.runtime.Unknown"


def driver_of(body: bytes) -> str:
    """Return the driver of a slice, empty for anything else."""
    found = _read(body)
    return "" if found is None else str(found[1].spec.driver)


def without(body: bytes, dropped: frozenset[str]) -> bytes:
    """Return a slice without fields of the slice and its devices; anything else as it is."""
    found = _read(body)
    if found is None:
        return body
    envelope, spec = found[0], found[1].spec
    # What a device holds stands one level deeper in v1beta1.
    devices = [one.basic if _has(one, "basic") else one for one in spec.devices]
    for one in (spec, *devices):
        for name in filter(lambda name, one=one: _has(one, name), dropped):
            one.ClearField(name)
    envelope.raw = found[1].SerializeToString()
    return MAGIC + envelope.SerializeToString()


def _has(message: Any, name: str) -> bool:
    return name in message.DESCRIPTOR.fields_by_name


def _read(body: bytes) -> tuple[Any, Any] | None:
    """Return the envelope and the slice in it, None for anything else."""
    if not body.startswith(MAGIC):
        return None
    envelope: Any = kubernetes.new_message(_UNKNOWN)
    try:
        envelope.ParseFromString(body[len(MAGIC) :])
        version = envelope.typeMeta.apiVersion.rpartition("/")[2]
        found: Any = kubernetes.new_message(f"k8s.io.api.resource.{version}.ResourceSlice")
        found.ParseFromString(envelope.raw)
    except (DecodeError, KeyError):
        return None
    return envelope, found
