"""JSON as a typed server reads it: unknown fields pruned and reported, types checked."""

from __future__ import annotations

import copy
import re
from typing import Any

from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.kube.quantity import QuantityError
from conformance.reference.apiserver.codec import shapes
from conformance.reference.apiserver.codec.protobuf import Undecodable
from conformance.reference.apiserver.codec.shapes import Field

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")

_GO_TYPES = {
    "string": "string",
    "integer": "int64",
    "int32": "int32",
    "boolean": "bool",
    "number": "float64",
}

_ZEROS: dict[str, Any] = {
    "object": {},
    "strings": [],
    "integer": 0,
    "int32": 0,
    "number": 0,
    "boolean": False,
    "quantity": "0",
    "int-or-string": 0,
}

_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "bytes": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "int32": (int,),
    "number": (int, float),
    "quantity": (str, int, float),
    "time": (str,),
    "microtime": (str,),
    "duration": (str,),
    "int-or-string": (int, str),
    "strings": (list,),
}

#: Messages of which one field is chosen: an empty list there is a choice, which validation refuses.
_ONE_OF_LISTS = (".DeviceAttribute",)


def prune(obj: Object, message: str) -> tuple[Object, list[str]]:
    """Return the object as its Go type would hold it, and the paths of unknown fields.

    Null values and empty values of omitempty fields disappear. Raises ``Undecodable`` for a
    value of a wrong type.
    """
    unknown: list[str] = []
    header = {key: obj[key] for key in ("apiVersion", "kind") if key in obj}
    body = {key: value for key, value in obj.items() if key not in header}
    return {**header, **_object(body, message, "", unknown)}, unknown


def _object(obj: Object, message: str, path: str, unknown: list[str]) -> Object:
    fields = shapes.fields_by_json(message)
    result: Object = {}
    for key, value in obj.items():
        where = f"{path}.{key}" if path else key
        field = fields.get(key)
        if field is None:
            unknown.append(where)
        elif value is not None:
            read = _value(field, value, where, unknown)
            is_a_choice = field.is_list and message.endswith(_ONE_OF_LISTS)
            if is_a_choice or not _is_left_out(field, read):
                result[key] = read
    return result


def _is_left_out(field: Field, value: Any) -> bool:
    if field.is_pointer or field.is_kept:
        return False
    if field.is_list or field.is_map:
        return not value
    return value in ("", 0, False, {}, None) and field.form != "int-or-string"


def _value(field: Field, value: Any, path: str, unknown: list[str]) -> Any:
    if field.is_map:
        _require(isinstance(value, dict), field, value, path)
        return {k: _single(field, v, f"{path}.{k}", unknown) for k, v in value.items()}
    if field.is_list:
        _require(isinstance(value, list), field, value, path)
        return [
            _single(field, item, f"{path}[{index}]", unknown) for index, item in enumerate(value)
        ]
    return _single(field, value, path, unknown)


def _single(field: Field, value: Any, path: str, unknown: list[str]) -> Any:
    if field.form == "raw":
        return value
    if value is None:
        # Go decodes a null in a list or map to the zero value of its type.
        return copy.copy(_ZEROS.get(field.form, ""))
    if field.form == "object":
        _require(isinstance(value, dict), field, value, path)
        return _object(value, field.message, path, unknown)
    is_bool = isinstance(value, bool)
    _require(
        isinstance(value, _PYTHON_TYPES[field.form]) and is_bool == (field.form == "boolean"),
        field,
        value,
        path,
    )
    return _scalar(field, value)


def _scalar(field: Field, value: Any) -> Any:
    if field.form == "quantity":
        try:
            return quantity.stored(value)
        except QuantityError as error:
            raise Undecodable(str(error)) from error
    if field.form == "int32" and not -(2**31) <= value < 2**31:
        raise Undecodable(f"json: cannot unmarshal number {value} into Go value of type int32")
    if field.form in ("time", "microtime") and not _TIME.fullmatch(value):
        raise Undecodable(f'parsing time "{value}" as "2006-01-02T15:04:05Z07:00": cannot parse')
    return value


def _require(is_right: bool, field: Field, value: Any, path: str) -> None:
    if is_right:
        return
    kind = field.message.rpartition(".")[2] or _GO_TYPES.get(field.form, field.form)
    prefix = "map[string]" if field.is_map else "[]" if field.is_list else ""
    raise Undecodable(
        f"json: cannot unmarshal {_json_type(value)} into Go struct field {path} "
        f"of type {prefix}{kind}"
    )


def _json_type(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return {str: "string", list: "array", dict: "object"}.get(type(value), "null")
