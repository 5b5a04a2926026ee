"""The API's answer when it refuses: a ``Status`` object, as the API server spells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from conformance.kube.fields import FieldError
from conformance.kube.objects import Object


class StatusError(Exception):
    """An answer of the API that is not a success; attributes as in ``metav1.Status``."""

    def __init__(self, code: int, reason: str, message: str, details: Object | None = None) -> None:
        super().__init__(message)
        #: The ``metadata`` of the list that was refused, such as a token to go on with.
        self.metadata: Object = {}
        self.code = code
        self.reason = reason
        self.message = message
        self.details: Object = details or {}

    def __str__(self) -> str:
        """Return code, reason and message in one line."""
        return f"{self.code} {self.reason}: {self.message}"

    def to_object(self) -> Object:
        """Return the ``Status`` object that goes over the wire."""
        status: Object = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": self.metadata,
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "details": self.details,
            "code": self.code,
        }
        optional = ("details", "reason")
        return {key: value for key, value in status.items() if key not in optional or value}

    @classmethod
    def from_object(cls, obj: Any, code: int = 0) -> Self:
        """Read a ``Status``; whatever is not one becomes an error with the HTTP ``code``."""
        if not isinstance(obj, dict):
            return cls(code, "Unknown", str(obj))
        status: Object = obj
        return cls(
            status.get("code") or code,
            status.get("reason") or "Unknown",
            status.get("message") or "",
            status.get("details"),
        )

    @property
    def causes(self) -> list[tuple[str, str]]:
        """Return ``(field, reason)`` of every cause."""
        return [
            (cause.get("field", ""), cause.get("reason", ""))
            for cause in self.details.get("causes") or []
        ]


def _qualified(plural: str, group: str) -> str:
    return f"{plural}.{group}" if group else plural


def _details(plural: str, group: str, name: str) -> Object:
    details: Object = {"name": name, "group": group, "kind": plural}
    return {key: value for key, value in details.items() if value}


def not_found(plural: str, group: str, name: str) -> StatusError:
    """Return 404: no such object."""
    message = f'{_qualified(plural, group)} "{name}" not found'
    return StatusError(404, "NotFound", message, _details(plural, group, name))


def no_such_resource() -> StatusError:
    """Return 404: the path names no resource that is served."""
    return StatusError(404, "NotFound", "the server could not find the requested resource")


def already_exists(plural: str, group: str, name: str) -> StatusError:
    """Return 409: the name is taken."""
    message = f'{_qualified(plural, group)} "{name}" already exists'
    return StatusError(409, "AlreadyExists", message, _details(plural, group, name))


def conflict(plural: str, group: str, name: str, why: str = "") -> StatusError:
    """Return 409: the object is not as the writer believed; ``why`` in the server's words."""
    reason = why or (
        "the object has been modified; please apply your changes to the latest version and try "
        "again"
    )
    message = f'Operation cannot be fulfilled on {_qualified(plural, group)} "{name}": {reason}'
    return StatusError(409, "Conflict", message, _details(plural, group, name))


def invalid(kind: str, group: str, name: str, errors: Sequence[FieldError]) -> StatusError:
    """Return 422: these fields are wrong. ``details.kind`` is the kind, not the plural."""
    sentences = [str(error) for error in errors]
    joined = sentences[0] if len(sentences) == 1 else f"[{', '.join(sentences)}]"
    details = _details(kind, group, name)
    details["causes"] = [
        {"reason": str(error.kind), "message": error.body(), "field": error.path}
        for error in errors
    ]
    return StatusError(
        422, "Invalid", f'{_qualified(kind, group)} "{name}" is invalid: {joined}', details
    )


def forbidden(plural: str, group: str, name: str, why: str) -> StatusError:
    """Return 403."""
    message = f'{_qualified(plural, group)} "{name}" is forbidden: {why}'
    return StatusError(403, "Forbidden", message, _details(plural, group, name))


def bad_request(why: str) -> StatusError:
    """Return 400."""
    return StatusError(400, "BadRequest", why)


def expired(why: str) -> StatusError:
    """Return 410: the resource version is too old to list or watch from."""
    return StatusError(410, "Expired", why)


def gone(why: str) -> StatusError:
    """Return 410 with reason Gone."""
    return StatusError(410, "Gone", why)


def unauthorized() -> StatusError:
    """Return 401."""
    return StatusError(401, "Unauthorized", "Unauthorized")


def method_not_allowed() -> StatusError:
    """Return 405."""
    return StatusError(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource"
    )


def not_acceptable(accepted: Sequence[str]) -> StatusError:
    """Return 406 with the media types that would do."""
    types = ", ".join(accepted)
    return StatusError(
        406, "NotAcceptable", f"only the following media types are accepted: {types}"
    )


def unsupported_media_type(accepted: Sequence[str]) -> StatusError:
    """Return 415 with the media types that would do."""
    types = ", ".join(accepted)
    message = (
        f"the body of the request was in an unknown format - accepted media types include: {types}"
    )
    return StatusError(415, "UnsupportedMediaType", message)


def timeout(why: str) -> StatusError:
    """Return 504."""
    return StatusError(504, "Timeout", why)


def too_large(limit: int) -> StatusError:
    """Return 413: the body has more than ``limit`` bytes."""
    return StatusError(413, "RequestEntityTooLarge", f"limit is {limit}")


def unknown(why: str) -> StatusError:
    """Return 500 without a reason: an error that a real server has no word for."""
    return StatusError(500, "", why)


def internal(why: str) -> StatusError:
    """Return 500."""
    return StatusError(500, "InternalError", f"Internal error occurred: {why}")
