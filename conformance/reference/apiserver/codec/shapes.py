"""What fields the API objects have, read from the descriptors when they are first asked for."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import attrs
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from conformance.wire import kubernetes

_WIRE = "conformance.wire.kubernetes"

#: Go types with a JSON form of their own, by message name.
SCALARS = {
    "k8s.io.apimachinery.pkg.api.resource.Quantity": "quantity",
    "k8s.io.apimachinery.pkg.apis.meta.v1.Time": "time",
    "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime": "microtime",
    "k8s.io.apimachinery.pkg.apis.meta.v1.Duration": "duration",
    "k8s.io.apimachinery.pkg.util.intstr.IntOrString": "int-or-string",
    "k8s.io.apimachinery.pkg.runtime.RawExtension": "raw",
    "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": "raw",
    "k8s.io.api.authorization.v1.ExtraValue": "strings",
    "k8s.io.api.authentication.v1.ExtraValue": "strings",
}

_PACKAGES = {
    "v1": "k8s.io.api.core.v1",
    "meta.k8s.io/v1": "k8s.io.apimachinery.pkg.apis.meta.v1",
}

#: Kinds that every group version answers to, though their shape is that of meta/v1.
_META_KINDS = ("DeleteOptions", "Status", "ListOptions", "PatchOptions")

_FORMS = {
    FieldDescriptor.CPPTYPE_STRING: "string",
    FieldDescriptor.CPPTYPE_BOOL: "boolean",
    FieldDescriptor.CPPTYPE_DOUBLE: "number",
    FieldDescriptor.CPPTYPE_FLOAT: "number",
}


@attrs.frozen(kw_only=True)
class Field:
    """One field: its JSON name and form, and what happens to it when it is zero."""

    name: str
    #: string, bytes, integer, number, boolean, object, or a value of ``SCALARS``.
    form: str
    #: Message of an object's or scalar's value, empty otherwise.
    message: str
    is_list: bool = False
    is_map: bool = False
    #: The fields of its message stand in the parent.
    is_inline: bool = False
    #: An explicit zero differs from an absent value.
    is_pointer: bool = False
    #: A zero is written, not left out.
    is_kept: bool = False


@functools.cache
def _table() -> dict[str, dict[str, str]]:
    return json.loads(resources.files(_WIRE).joinpath("fields.json").read_bytes())


def message_of(api_version: str, kind: str) -> str | None:
    """Return the message that holds objects of that kind, if its shape is known."""
    if kind in _META_KINDS:
        name = f"{_PACKAGES['meta.k8s.io/v1']}.{kind}"
    elif api_version in _PACKAGES:
        name = f"{_PACKAGES[api_version]}.{kind}"
    else:
        group, _, version = api_version.partition("/")
        name = f"k8s.io.api.{group.split('.')[0]}.{version}.{kind}"
    try:
        kubernetes.pool().FindMessageTypeByName(name)
    except KeyError:
        return None
    return name


@functools.cache
def fields_by_proto(message: str) -> dict[str, Field]:
    """Return the fields of a message by the name that they have in the .proto file."""
    descriptor: Descriptor = kubernetes.pool().FindMessageTypeByName(message)
    flags = _table().get(message, {})
    return {field.name: _field(field, flags.get(field.name, "")) for field in descriptor.fields}


@functools.cache
def fields_by_json(message: str) -> dict[str, Field]:
    """Return the fields of a message by their JSON names, inlined ones included."""
    result: dict[str, Field] = {}
    for field in fields_by_proto(message).values():
        if field.is_inline:
            result.update(fields_by_json(field.message))
        else:
            result[field.name] = field
    return result


def _field(field: FieldDescriptor, flags: str) -> Field:
    flag, _, name = flags.partition("=")
    value: Any = field
    entry: Any = field.message_type
    is_map = bool(entry and entry.GetOptions().map_entry)
    if is_map:
        value = entry.fields_by_name["value"]
    message = value.message_type.full_name if value.message_type else ""
    return Field(
        name=name or field.name,
        form=_form(value, message),
        message=message,
        is_list=field.is_repeated and not is_map,
        is_map=is_map,
        is_inline=flag == "inline",
        is_pointer=flag == "pointer",
        is_kept=flag == "kept",
    )


def _form(field: FieldDescriptor, message: str) -> str:
    if message:
        return SCALARS.get(message, "object")
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "bytes"
    if field.cpp_type == FieldDescriptor.CPPTYPE_INT32:
        return "int32"
    return _FORMS.get(field.cpp_type, "integer")
