"""Comparisons that name what was expected, where, and what stood there instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import attrs

from conformance.harness.errors import ABSENT, Violation
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: What an API server answers about what is not there.
NOT_FOUND = 404

#: One step of a path: ``name``, ``[3]`` or ``[a.key/with.dots]``.
_STEP = re.compile(r"\.?([^.\[\]]+)|\[([^\]]+)\]")


def at(value: Any, path: str) -> Any:
    """Return what stands at ``path`` (``status.devices[0].pool``), or ``ABSENT``."""
    for name, key in _STEP.findall(path):
        value = _step(value, name or key)
        if value is ABSENT:
            return ABSENT
    return value


def same(observed: Any, expected: Any, *, path: str, hint: str = "") -> Any:
    """Return ``observed`` if it is ``expected``; raises ``Violation``."""
    if observed != expected:
        raise Violation(repr(expected), path=path, observed=observed, hint=hint)
    return observed


def field(value: Any, path: str, expected: Any) -> Any:
    """Return ``value`` if ``expected`` stands at ``path``; raises ``Violation``."""
    same(at(value, path), expected, path=path)
    return value


def present(value: Any, path: str) -> Any:
    """Return what stands at ``path``; raises ``Violation`` where it is absent or empty."""
    found = at(value, path)
    if found in (ABSENT, None, "", [], {}):
        raise Violation("a value", path=path, observed=found)
    return found


def absent(value: Any, path: str) -> Any:
    """Return ``value`` if nothing, or nothing but emptiness, stands at ``path``."""
    found = at(value, path)
    if found not in (ABSENT, None, "", [], {}):
        raise Violation("nothing", path=path, observed=found)
    return value


def unset(value: Any, path: str) -> Any:
    """Return ``value`` if ``path`` is not set at all: an empty object there is something."""
    found = at(value, path)
    if found is not ABSENT and found is not None:
        raise Violation("nothing", path=path, observed=found)
    return value


def that(holds: bool, expected: str, *, path: str = "", observed: Any = None) -> None:
    """Raise ``Violation`` unless ``holds``."""
    if not holds:
        raise Violation(expected, path=path, observed=observed)


def condition(value: Any, kind: str, status: str, *, path: str = "status.conditions") -> Any:
    """Return the condition of this type if it has this status; raises ``Violation``."""
    rows: list[Any] = at(value, path) or []
    for row in rows:
        if row.get("type") == kind and row.get("status") == status:
            return row
    raise Violation(f"{kind}={status}", path=path, observed=rows or ABSENT)


@attrs.define
class Refusal:
    """The refusal that a block met; set once the block has ended."""

    error: StatusError | None = None


@contextmanager
def refused(code: int, field_path: str = "") -> Iterator[Refusal]:
    """Expect that the API server refuses what the block asks, with this code.

    ``field_path``, where given, must be among the causes, or lead to one of them.
    """
    refusal = Refusal()
    try:
        yield refusal
    except StatusError as error:
        refusal.error = error
        same(error.code, code, path="code", hint="reading the message: " + str(error))
        _causes(error, field_path)
        return
    raise Violation(
        f"the request to be refused with {code}", path=field_path, observed="acceptance"
    )


@contextmanager
def accepted(what: str, *, permitted: bool = False) -> Iterator[None]:
    """Expect that the API server accepts what the block asks.

    ``permitted`` says that it must be allowed, too: 403 accuses the server then, not us.
    """
    try:
        yield
    except StatusError as error:
        if error.code not in ((400, 403, 404, 409, 422) if permitted else (400, 404, 409, 422)):
            raise
        raise Violation(f"{what} to be accepted", observed=f"{error.code}: {error}") from error


def _step(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return cast("Object", value).get(key, ABSENT)
    if isinstance(value, list) and key.lstrip("-").isdigit():
        items, position = cast("list[Any]", value), int(key)
        return items[position] if -len(items) <= position < len(items) else ABSENT
    return ABSENT


def _causes(error: StatusError, field_path: str) -> None:
    if not field_path:
        return
    details: Any = error.details or {}
    found = [str(cause.get("field", "")) for cause in details.get("causes") or []]
    if not any(
        one == field_path or one.startswith((f"{field_path}.", f"{field_path}[")) for one in found
    ):
        raise Violation(
            f"a cause in {field_path}", path="details.causes", observed=found or str(error)
        )
