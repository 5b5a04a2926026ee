"""Errors about single fields, spelled as the API server spells them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import attrs


class ErrorKind(StrEnum):
    """The ``reason`` of a cause in ``details.causes``."""

    INVALID = "FieldValueInvalid"
    REQUIRED = "FieldValueRequired"
    DUPLICATE = "FieldValueDuplicate"
    NOT_SUPPORTED = "FieldValueNotSupported"
    FORBIDDEN = "FieldValueForbidden"
    TOO_LONG = "FieldValueTooLong"
    TOO_MANY = "FieldValueTooMany"
    NOT_FOUND = "FieldValueNotFound"
    TYPE_INVALID = "FieldValueTypeInvalid"
    INTERNAL = "InternalError"


#: How each kind starts its sentence, and whether the offending value follows.
_WORDS = {
    ErrorKind.INVALID: ("Invalid value", True),
    ErrorKind.REQUIRED: ("Required value", False),
    ErrorKind.DUPLICATE: ("Duplicate value", True),
    ErrorKind.NOT_SUPPORTED: ("Unsupported value", True),
    ErrorKind.FORBIDDEN: ("Forbidden", False),
    ErrorKind.TOO_LONG: ("Too long", False),
    ErrorKind.TOO_MANY: ("Too many", True),
    ErrorKind.NOT_FOUND: ("Not found", True),
    ErrorKind.TYPE_INVALID: ("Invalid value", True),
    ErrorKind.INTERNAL: ("Internal error", False),
}


@attrs.frozen
class FieldError:
    """One thing that is wrong with one field."""

    kind: ErrorKind
    path: str
    value: Any = None
    detail: str = ""

    def body(self) -> str:
        """Return the sentence without the path, as ``details.causes`` carries it."""
        word, shows_value = _WORDS[self.kind]
        text = f"{word}: {spelled(self.value)}" if shows_value else word
        return f"{text}: {self.detail}" if self.detail else text

    def __str__(self) -> str:
        """Return the sentence with the path in front."""
        return f"{self.path}: {self.body()}" if self.path else self.body()


def spelled(value: Any) -> str:
    """Return a value as it stands in a message: text quoted, objects as JSON."""
    if value is None:
        return "null"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def invalid(path: str, value: Any, detail: str) -> FieldError:
    """Return: the value is of the right type, but wrong."""
    return FieldError(ErrorKind.INVALID, path, value, detail)


def required(path: str, detail: str = "") -> FieldError:
    """Return: the field is missing."""
    return FieldError(ErrorKind.REQUIRED, path, None, detail)


def duplicate(path: str, value: Any) -> FieldError:
    """Return: the value stands twice where it must be unique."""
    return FieldError(ErrorKind.DUPLICATE, path, value)


def forbidden(path: str, detail: str) -> FieldError:
    """Return: the field must not be set here."""
    return FieldError(ErrorKind.FORBIDDEN, path, None, detail)


def not_supported(path: str, value: Any, supported: Sequence[str]) -> FieldError:
    """Return: the value is not among the known ones."""
    known = ", ".join(f'"{one}"' for one in sorted(supported))
    return FieldError(ErrorKind.NOT_SUPPORTED, path, value, f"supported values: {known}")


def too_long(path: str, limit: int) -> FieldError:
    """Return: the value has more than ``limit`` bytes."""
    return FieldError(ErrorKind.TOO_LONG, path, None, f"may not be more than {limit} bytes")


def too_many(path: str, count: int, limit: int) -> FieldError:
    """Return: the list has ``count`` items, more than ``limit``."""
    unit = "item" if limit == 1 else "items"
    return FieldError(ErrorKind.TOO_MANY, path, count, f"must have at most {limit} {unit}")


def not_found(path: str, value: Any) -> FieldError:
    """Return: the value names something that is not there."""
    return FieldError(ErrorKind.NOT_FOUND, path, value)


def type_invalid(path: str, value: Any, detail: str) -> FieldError:
    """Return: the value is of the wrong type."""
    return FieldError(ErrorKind.TYPE_INVALID, path, value, detail)
