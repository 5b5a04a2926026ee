"""Scalar types whose protobuf and JSON forms differ: quantities, times, durations, raw JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

_NANOSECONDS = 10**9
_UNIX = datetime(1970, 1, 1, tzinfo=UTC)


def from_quantity(value: Any) -> str:
    """Return a Quantity as its string; an empty one is zero."""
    return value.string or "0"


def from_time(value: Any) -> str | None:
    """Return a Time in RFC 3339 with seconds; the zero time is absent."""
    moment = _moment(value)
    return moment and moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def from_micro_time(value: Any) -> str | None:
    """Return a MicroTime in RFC 3339 with microseconds; the zero time is absent."""
    moment = _moment(value)
    return moment and moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def from_duration(value: Any) -> str:
    """Return a Duration as Go prints it: 1h0m5s, 1.5s, 20ms."""
    return spell_duration(value.duration)


def from_int_or_string(value: Any) -> int | str:
    """Return the number or the string that is in an IntOrString."""
    return value.strVal if value.type == 1 else value.intVal


def from_raw(value: Any) -> Any:
    """Return the JSON that is embedded in a RawExtension or FieldsV1.

    Raises ``ValueError`` when it is none.
    """
    raw: bytes = value.raw if hasattr(value, "raw") else value.Raw
    return json.loads(raw) if raw else None


def from_strings(value: Any) -> list[str]:
    """Return the items of a message that is a list of strings in Go."""
    return list(value.items)


#: Converters by form (see ``shapes.SCALARS``).
FROM_PROTOBUF: dict[str, Callable[[Any], Any]] = {
    "quantity": from_quantity,
    "time": from_time,
    "microtime": from_micro_time,
    "duration": from_duration,
    "int-or-string": from_int_or_string,
    "raw": from_raw,
    "strings": from_strings,
}


def spell_duration(nanoseconds: int) -> str:
    """Return a duration as Go's ``time.Duration.String`` does."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    for unit, size in (("ns", 1), ("µs", 10**3), ("ms", 10**6)):
        if rest and rest < size * 1000:
            return f"{sign}{_decimal(rest, size)}{unit}"
    minutes, rest = divmod(rest, 60 * _NANOSECONDS)
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(rest, _NANOSECONDS)}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return f"{sign}{hours}h{text}" if hours else sign + text


def _decimal(value: int, size: int) -> str:
    whole, part = divmod(value, size)
    if not part:
        return str(whole)
    return f"{whole}.{str(part).zfill(len(str(size)) - 1).rstrip('0')}"


def _moment(value: Any) -> datetime | None:
    if not value.seconds and not value.nanos:
        return None
    return _UNIX + timedelta(seconds=value.seconds, microseconds=value.nanos // 1000)
