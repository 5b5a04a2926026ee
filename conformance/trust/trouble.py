"""Trouble that a client meets at an API server about its ResourceSlices, where somebody gives it.

A server gives it, or whoever stands before one: what is met, how often, and how it is spelled is
the same.
"""

from __future__ import annotations

import attrs

from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: Reasons by code, as an API server spells them.
_REASONS = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}


@attrs.frozen(kw_only=True)
class Trouble:
    """What requests of a driver meet; by default nothing, so that they are only seen."""

    #: The verbs that are concerned: create, update, patch, delete, get, list, watch.
    verbs: frozenset[str] = frozenset()
    #: The code of a refusal, 0 for none.
    code: int = 0
    #: Seconds in the header Retry-After of a refusal, 0 for no header.
    retry_after: int = 0
    #: How many requests meet it; None for all.
    times: int | None = None
    #: Real seconds before a request is looked at: virtual time stands still meanwhile.
    delay: float = 0.0
    #: The connection breaks before there is an answer.
    broken: bool = False
    #: Fields of devices and slices that are dropped, as those of a disabled gate are.
    dropped: frozenset[str] = frozenset()


#: Nothing but eyes.
WATCHED = Trouble()


class Allotment:
    """Trouble that so many requests meet, and no more."""

    def __init__(self, trouble: Trouble) -> None:
        self._trouble = trouble
        self._met = 0

    def next(self, verb: str) -> Trouble:
        """Return what the next request of this verb meets."""
        used_up = self._trouble.times is not None and self._met >= self._trouble.times
        if verb not in self._trouble.verbs or used_up:
            return WATCHED
        self._met += 1
        return self._trouble


def refusal(trouble: Trouble) -> Object:
    """Return the Status of a server that refuses so."""
    reason = _REASONS.get(trouble.code, "Unknown")
    document = StatusError(trouble.code, reason, "trouble on request").to_object()
    if trouble.retry_after:
        document["details"] = {"retryAfterSeconds": trouble.retry_after}
    return document


def headers(trouble: Trouble) -> dict[str, str]:
    """Return the headers of such a refusal."""
    return {"Retry-After": str(trouble.retry_after)} if trouble.retry_after else {}


def without(obj: Object, dropped: frozenset[str]) -> Object:
    """Return a ResourceSlice without fields of its spec and its devices."""
    spec = _kept(obj["spec"], dropped)
    if spec.get("devices"):
        spec["devices"] = [_kept(one, dropped) for one in spec["devices"]]
    return {**obj, "spec": spec}


def _kept(fields: Object, dropped: frozenset[str]) -> Object:
    return {name: value for name, value in fields.items() if name not in dropped}
