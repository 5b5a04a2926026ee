"""What is particular to a kind of object: how it is prepared and what makes it invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

import attrs

from conformance.kube.fields import FieldError
from conformance.kube.objects import Object


def _no_errors(*_: object) -> Iterable[FieldError]:
    return ()


def _unchanged(*_: object) -> None:
    return None


def keep_status(new: Object, old: Object, now: datetime, subresource: str) -> None:
    """Let a status write change the status alone, and any other write all but the status."""
    del now
    if subresource == "status":
        kept = {key: value for key, value in old.items() if key not in ("status", "metadata")}
        for key in [key for key in new if key not in ("status", "metadata")]:
            del new[key]
        new.update(kept)
    elif "status" in old:
        new["status"] = old["status"]
    else:
        new.pop("status", None)


@attrs.frozen(kw_only=True)
class Strategy:
    """The functions that the registry calls around a write; objects are changed in place."""

    #: ``(obj, now)``: before validation of a new object.
    prepare_create: Callable[[Object, datetime], None] = _unchanged
    validate_create: Callable[[Object], Iterable[FieldError]] = _no_errors
    #: ``(new, old, now, subresource)``: before validation of a changed object.
    prepare_update: Callable[[Object, Object, datetime, str], None] = keep_status
    #: ``(new, old, subresource)``.
    validate_update: Callable[[Object, Object, str], Iterable[FieldError]] = _no_errors
    #: Deletion is marked with its grace period, even when that is over at once.
    graceful: bool = False
    #: ``(obj, requested) -> seconds``: what a deletion waits for; 0 is at once.
    grace_period: Callable[[Object, int | None], int] = attrs.field(default=lambda _obj, _wish: 0)


#: A kind that is stored as it comes, status and all.
WHOLE = Strategy(prepare_update=_unchanged)
