"""What the requests of a driver about its ResourceSlices meet on their way, and what was seen."""

from __future__ import annotations

import json
from typing import Any

import attrs

from conformance.harness.gateway import encoding
from conformance.kube.objects import Object
from conformance.trust import trouble
from conformance.trust.trouble import Allotment, Trouble


@attrs.define(kw_only=True)
class Seen:
    """One request: when, in seconds of this machine; which verb; the code of its answer."""

    at: float
    verb: str
    #: 0 where there is no answer, or none yet.
    code: int = 0


class Meeting(Allotment):
    """Trouble of one driver while it lasts."""

    def __init__(self, driver: str, given: Trouble) -> None:
        super().__init__(given)
        self.driver = driver
        self.seen: list[Seen] = []


def driver_of(body: bytes) -> str:
    """Return the driver of a slice, empty for anything else."""
    if body.startswith(encoding.MAGIC):
        return encoding.driver_of(body)
    document = _slice(body)
    return "" if document is None else str(document["spec"].get("driver", ""))


def without(body: bytes, dropped: frozenset[str]) -> bytes:
    """Return a slice, or a merge patch of one in JSON, without fields of it and its devices.

    What is no such object stays as it is.
    """
    if body.startswith(encoding.MAGIC):
        return encoding.without(body, dropped)
    document = _slice(body)
    return body if document is None else text(trouble.without(document, dropped))


def text(document: Object) -> bytes:
    """Return an object as it goes over the wire."""
    return json.dumps(document, separators=(",", ":")).encode()


def _slice(body: bytes) -> Object | None:
    """Return an object with a spec, None for anything else."""
    try:
        document: Any = json.loads(body)
    except ValueError:
        # Another encoding, or nothing at all.
        return None
    is_one = isinstance(document, dict) and isinstance(document.get("spec"), dict)
    return document if is_one else None
