"""How two writers share a value: which lists have keys, and what is owned as a whole."""

from __future__ import annotations

import functools
import json
from enum import Enum
from importlib import resources
from typing import Any

import attrs

from conformance.reference.apiserver.codec import shapes
from conformance.reference.apiserver.codec.shapes import Field

_WIRE = "conformance.wire.kubernetes"


#: Zero values of Go by the form of a field.
_ZEROS: dict[str, Any] = {
    "string": "",
    "integer": 0,
    "int32": 0,
    "number": 0,
    "boolean": False,
    "quantity": "0",
}


class Kind(Enum):
    """The form of a value."""

    SCALAR = "scalar"
    #: An object with known fields.
    STRUCT = "struct"
    #: An object with free keys.
    MAP = "map"
    LIST = "list"


@attrs.frozen(kw_only=True)
class Type:
    """What is known of a value."""

    kind: Kind
    #: Owned as a whole; of lists also those that have no keys and are no sets.
    is_atomic: bool = False
    message: str = ""
    element: Type | None = None
    #: Keys of a list's elements; without keys a list that is not atomic is a set.
    keys: tuple[str, ...] = ()

    @property
    def fields(self) -> dict[str, Type]:
        """The known fields of a struct; others have none."""
        return _fields(self.message) if self.kind is Kind.STRUCT else {}

    def at(self, name: str) -> Type:
        """Return the type of the value under a key."""
        return self.fields.get(name) or self.element or SCALAR

    @property
    def zeros(self) -> dict[str, Any]:
        """What the Go type of a struct writes of fields that nobody has set."""
        return _zeros(self.message) if self.kind is Kind.STRUCT and not self.is_atomic else {}

    def default_of(self, key: str) -> Any:
        """Return what a key of a list's element is when it is left out, or nothing."""
        return _defaults(self.message).get(key, _zeros(self.message).get(key))


#: Also JSON without a schema (``RawExtension``), which is owned as a whole.
SCALAR = Type(kind=Kind.SCALAR)


@functools.cache
def of_kind(api_version: str, kind: str) -> Type | None:
    """Return the type of the objects of a kind, if its shape is known."""
    message = shapes.message_of(api_version, kind)
    return None if message is None else Type(kind=Kind.STRUCT, message=message)


def extensions(message: str) -> dict[str, dict[str, Any]]:
    """Return what OpenAPI says of sharing, by field; under the empty name of the message itself."""
    words = _table().get(message, {})
    result: dict[str, dict[str, Any]] = {}
    if words.get("") in ("atomic", "granular"):
        result[""] = {"x-kubernetes-map-type": words[""]}
    for name, field in shapes.fields_by_proto(message).items():
        word = words.get(name, "")
        if field.is_inline:
            result.update(extensions(field.message))
        elif field.is_list and word.startswith("map="):
            keys = word.removeprefix("map=").split(",")
            result[field.name] = {
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": keys,
            }
        elif field.is_list and word:
            result[field.name] = {"x-kubernetes-list-type": word}
        elif word in ("atomic", "granular"):
            result[field.name] = {"x-kubernetes-map-type": word}
    return result


@functools.cache
def _table() -> dict[str, dict[str, str]]:
    return json.loads(resources.files(_WIRE).joinpath("lists.json").read_bytes())


@functools.cache
def _fields(message: str) -> dict[str, Type]:
    result: dict[str, Type] = {"apiVersion": SCALAR, "kind": SCALAR}
    words = _table().get(message, {})
    for name, field in shapes.fields_by_proto(message).items():
        if field.is_inline:
            result.update(_fields(field.message))
        else:
            result[field.name] = _of_field(field, words.get(name, ""))
    return result


@functools.cache
def _zeros(message: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for field in shapes.fields_by_json(message).values() if message else ():
        if field.is_list or field.is_map:
            if field.is_kept:
                result[field.name] = None
        elif field.form == "object":
            if not field.is_pointer:
                result[field.name] = {}
        elif field.is_kept and field.form in _ZEROS:
            result[field.name] = _ZEROS[field.form]
    return result


@functools.cache
def _defaults(message: str) -> dict[str, str]:
    words = _table().get(message, {})
    named = shapes.fields_by_proto(message) if message else {}
    return {
        field.name: words[name].removeprefix("default=")
        for name, field in named.items()
        if words.get(name, "").startswith("default=")
    }


def _of_field(field: Field, word: str) -> Type:
    element = _of_element(field)
    if field.is_map:
        return Type(kind=Kind.MAP, element=element, is_atomic=word == "atomic")
    if field.is_list:
        keys = tuple(word.removeprefix("map=").split(",")) if word.startswith("map=") else ()
        return Type(
            kind=Kind.LIST,
            element=element,
            keys=keys,
            is_atomic=not keys and word != "set",
            message=element.message,
        )
    if element.kind is Kind.STRUCT and word in ("atomic", "granular"):
        return attrs.evolve(element, is_atomic=word == "atomic")
    return element


def _of_element(field: Field) -> Type:
    if field.form == "strings":
        return Type(kind=Kind.LIST, element=SCALAR, is_atomic=True)
    if field.form != "object":
        return SCALAR
    is_atomic = _table().get(field.message, {}).get("") == "atomic"
    return Type(kind=Kind.STRUCT, message=field.message, is_atomic=is_atomic)
