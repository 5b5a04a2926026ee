"""Reads the checker's serialized tree: protocol buffers, without generated code.

Only what a selector can contain is read; field numbers are those of cel-spec's
proto/cel/expr/checked.proto and syntax.proto (version 0.25).
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from conformance.cel.tree import (
    DYN,
    Call,
    Constant,
    Fold,
    Identifier,
    ListOf,
    MapOf,
    Message,
    Node,
    Select,
    Tree,
    Type,
    Uint,
)

_Fields = dict[int, list[Any]]

_PRIMITIVES = {1: "bool", 2: "int", 3: "uint", 4: "double", 5: "string", 6: "bytes"}
_WELL_KNOWN = {1: "any", 2: "timestamp", 3: "duration"}


def tree(serialized: bytes) -> Tree:
    """Return the tree of a serialized ``CheckedExpr``, packed in an ``Any``."""
    checked = _fields(_fields(serialized)[2][0])
    overloads: dict[int, tuple[str, ...]] = {}
    names: dict[int, str] = {}
    for entry in map(_fields, checked[2]):
        reference = _fields(_first(entry, 2, b""))
        if reference[3]:
            overloads[_first(entry, 1, 0)] = tuple(one.decode() for one in reference[3])
        if reference[1]:
            names[_first(entry, 1, 0)] = reference[1][0].decode()
    types = {
        _first(entry, 1, 0): _type(_first(entry, 2, b"")) for entry in map(_fields, checked[3])
    }
    return Tree(_node(checked[4][0]), types, overloads, names)


def _fields(message: bytes) -> _Fields:
    """Split a message into its fields: numbers, 8 bytes, or bytes, by field number."""
    found: _Fields = defaultdict(list)
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        value: Any
        if key & 7 == 0:
            value, at = _varint(message, at)
        elif key & 7 == 1:
            value, at = message[at : at + 8], at + 8
        else:
            size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        found[key >> 3].append(value)
    return found


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def _first(fields: _Fields, number: int, default: Any) -> Any:
    return fields[number][0] if fields[number] else default


def _text(fields: _Fields, number: int) -> str:
    return str(_first(fields, number, b""), "utf-8")


def _type(message: bytes) -> Type:
    fields = _fields(message)
    for number, read in _TYPES.items():
        if fields[number]:
            return read(fields[number][0])
    return DYN


def _parameters(kind: str, *numbers: int) -> Callable[[bytes], Type]:
    def read(message: bytes) -> Type:
        fields = _fields(message)
        return Type(kind, "", tuple(_type(_first(fields, one, b"")) for one in numbers))

    return read


def _abstract(message: bytes) -> Type:
    fields = _fields(message)
    return Type("opaque", _text(fields, 1), tuple(_type(one) for one in fields[2]))


_TYPES: dict[int, Callable[[Any], Type]] = {
    1: lambda _: DYN,
    2: lambda _: Type("null"),
    3: lambda code: Type(_PRIMITIVES.get(code, "dyn")),
    4: lambda code: Type("wrapper", _PRIMITIVES.get(code, "")),
    5: lambda code: Type(_WELL_KNOWN.get(code, "dyn")),
    6: _parameters("list", 1),
    7: _parameters("map", 1, 2),
    9: lambda name: Type("message", name.decode()),
    10: lambda name: Type("parameter", name.decode()),
    11: lambda one: Type("type", "", (_type(one),)),
    12: lambda _: Type("error"),
    14: _abstract,
}


def _node(message: bytes) -> Node:
    fields = _fields(message)
    number = _first(fields, 2, 0)
    for kind, read in _NODES.items():
        if fields[kind]:
            return read(number, _fields(fields[kind][0]))
    return Constant(number, None)


def _constant(number: int, fields: _Fields) -> Node:
    value: Any = None
    if fields[2]:
        value = bool(fields[2][0])
    elif fields[3]:
        value = fields[3][0] - (1 << 64 if fields[3][0] >= 1 << 63 else 0)
    elif fields[4]:
        value = Uint(fields[4][0])
    elif fields[5]:
        value = struct.unpack("<d", fields[5][0])[0]
    elif fields[6]:
        value = fields[6][0].decode()
    elif fields[7]:
        value = fields[7][0]
    return Constant(number, value)


def _select(number: int, fields: _Fields) -> Node:
    test = bool(_first(fields, 3, 0))
    return Select(number, _node(_first(fields, 1, b"")), _text(fields, 2), test)


def _call(number: int, fields: _Fields) -> Node:
    target = _node(fields[1][0]) if fields[1] else None
    return Call(number, _text(fields, 2), target, tuple(map(_node, fields[3])))


def _list(number: int, fields: _Fields) -> Node:
    packed = [one if isinstance(one, bytes) else bytes([one]) for one in fields[2]]
    optional: list[int] = []
    for one in packed:
        at = 0
        while at < len(one):
            index, at = _varint(one, at)
            optional.append(index)
    return ListOf(number, tuple(map(_node, fields[1])), frozenset(optional))


def _struct(number: int, fields: _Fields) -> Node:
    if fields[1]:
        return Message(number, _text(fields, 1))
    entries = map(_fields, fields[2])
    return MapOf(
        number,
        tuple(
            (
                _node(_first(entry, 3, b"")),
                _node(_first(entry, 4, b"")),
                bool(_first(entry, 5, 0)),
            )
            for entry in entries
        ),
    )


def _fold(number: int, fields: _Fields) -> Node:
    return Fold(
        id=number,
        variable=_text(fields, 1),
        range=_node(_first(fields, 2, b"")),
        accumulator=_text(fields, 3),
        initial=_node(_first(fields, 4, b"")),
        condition=_node(_first(fields, 5, b"")),
        step=_node(_first(fields, 6, b"")),
        result=_node(_first(fields, 7, b"")),
    )


_NODES: dict[int, Callable[[int, _Fields], Node]] = {
    3: _constant,
    4: lambda number, fields: Identifier(number, _text(fields, 1)),
    5: _select,
    6: _call,
    7: _list,
    8: _struct,
    9: _fold,
}
