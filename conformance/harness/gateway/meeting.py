"""What the requests of a driver about its ResourceSlices meet on their way, and what was seen."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

import attrs

from conformance.harness.gateway import encoding
from conformance.harness.targets.disturbance import WATCHED, Trouble
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: Reasons that are not the phrase of their code.
_REASONS = {409: "Conflict", 410: "Expired", 500: "InternalError"}


@attrs.define(kw_only=True)
class Seen:
    """One request: when, in seconds of this machine; which verb; the code of its answer."""

    at: float
    verb: str
    #: 0 where there is no answer, or none yet.
    code: int = 0


class Meeting:
    """Trouble of one driver while it lasts."""

    def __init__(self, driver: str, trouble: Trouble) -> None:
        self.driver = driver
        self.seen: list[Seen] = []
        self._trouble = trouble
        self._met = 0

    def next(self, verb: str) -> Trouble:
        """Return what the next request of this verb meets."""
        used_up = self._trouble.times is not None and self._met >= self._trouble.times
        if verb not in self._trouble.verbs or used_up:
            return WATCHED
        self._met += 1
        return self._trouble


@attrs.frozen(kw_only=True)
class Refusal:
    """An answer that comes from nobody's API server."""

    code: int
    body: bytes
    #: Seconds in the header Retry-After, 0 for no header.
    retry_after: int = 0


def refusal(trouble: Trouble) -> Refusal:
    """Return the answer of a server that gives this trouble."""
    code = trouble.code
    reason = _REASONS.get(code, HTTPStatus(code).phrase.replace(" ", ""))
    document = StatusError(code, reason, "trouble on request").to_object()
    if trouble.retry_after:
        document["details"] = {"retryAfterSeconds": trouble.retry_after}
    return Refusal(code=code, body=_text(document), retry_after=trouble.retry_after)


def ended() -> Refusal:
    """Return the answer to a token that counts no longer."""
    document = StatusError(401, "Unauthorized", "Unauthorized").to_object()
    return Refusal(code=401, body=_text(document))


def driver_of(body: bytes) -> str:
    """Return the driver of a slice, empty for anything else."""
    if body.startswith(encoding.MAGIC):
        return encoding.driver_of(body)
    spec = _spec(_document(body))
    return str(spec.get("driver", "")) if spec is not None else ""


def without(body: bytes, dropped: frozenset[str]) -> bytes:
    """Return a slice, or a merge patch of one in JSON, without fields of the slice and its devices.

    What is no such object stays as it is.
    """
    if body.startswith(encoding.MAGIC):
        return encoding.without(body, dropped)
    document = _document(body)
    spec = _spec(document)
    if spec is None:
        return body
    kept = _kept(spec, dropped)
    if kept.get("devices"):
        kept["devices"] = [_kept(one, dropped) for one in kept["devices"]]
    return _text({**document, "spec": kept})


def _kept(fields: Object, dropped: frozenset[str]) -> Object:
    return {name: value for name, value in fields.items() if name not in dropped}


def _spec(document: Any) -> Object | None:
    spec: Any = document.get("spec") if isinstance(document, dict) else None
    return spec if isinstance(spec, dict) else None


def _document(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        # Another encoding, or nothing at all.
        return None


def _text(document: Object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
