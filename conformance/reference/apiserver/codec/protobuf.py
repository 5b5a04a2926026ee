"""Kubernetes' protobuf encoding: a magic word, then runtime.Unknown, then the kind's message.

Source: k8s.io/apimachinery pkg/runtime/serializer/protobuf. Requests are decoded; answers are
JSON, which clients accept beside protobuf.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError, Message

from conformance.kube.objects import Object
from conformance.reference.apiserver.codec import shapes
from conformance.reference.apiserver.codec.scalars import FROM_PROTOBUF
from conformance.reference.apiserver.codec.shapes import Field
from conformance.wire import kubernetes

MAGIC = b"k8s\x00"
_UNKNOWN = "k8s.io.apimachinery.pkg.runtime.Unknown"


class Undecodable(ValueError):
    """The bytes are no object in the encoding that their media type names."""


def decode(data: bytes) -> Object:
    """Return the object that is encoded in ``data``.

    Raises ``Undecodable`` for a wrong envelope, an unknown kind or a broken message.
    """
    if not data.startswith(MAGIC):
        raise Undecodable("provided data does not appear to be a protobuf message")
    envelope: Any = kubernetes.new_message(_UNKNOWN)
    _parse(envelope, data[len(MAGIC) :])
    api_version, kind = envelope.typeMeta.apiVersion, envelope.typeMeta.kind
    name = shapes.message_of(api_version, kind)
    if name is None:
        raise Undecodable(f'no kind "{kind}" is registered for version "{api_version}"')
    message = kubernetes.new_message(name)
    _parse(message, envelope.raw)
    return {"apiVersion": api_version, "kind": kind, **_object(message, name)}


def _parse(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise Undecodable(str(error)) from error


def _object(message: Message, name: str) -> Object:
    fields = shapes.fields_by_proto(name)
    result: Object = {}
    for descriptor, value in message.ListFields():
        field = fields[descriptor.name]
        if field.is_inline:
            result.update(_object(value, field.message))
            continue
        converted = _value(field, value)
        if converted is not None:
            result[field.name] = converted
    return result


def _value(field: Field, value: Any) -> Any:
    """Return the JSON of a field, or nothing when Go would leave it out."""
    if field.is_map:
        return {key: _single(field, value[key]) for key in sorted(value)}
    if field.is_list:
        return _items(field, value)
    single = _single(field, value)
    # A field that is no pointer is always on the wire, even when it was never set.
    is_zero = single in ("", 0, False, {})
    if is_zero and not field.is_pointer and not field.is_kept and field.form != "int-or-string":
        return None
    return single


def _items(field: Field, values: Iterable[Any]) -> list[Any]:
    return [_single(field, value) for value in values]


def _single(field: Field, value: Any) -> Any:
    if field.form == "object":
        return _object(value, field.message)
    if field.form == "bytes":
        return base64.b64encode(value).decode()
    convert = FROM_PROTOBUF.get(field.form)
    return convert(value) if convert else value
