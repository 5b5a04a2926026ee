"""Times as Kubernetes writes them: RFC 3339 in UTC, to the second."""

from __future__ import annotations

from datetime import UTC, datetime


def format_time(moment: datetime) -> str:
    """Return the moment as ``2026-01-01T00:00:00Z``."""
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{plain.isoformat(timespec='seconds')}Z"


def parse(text: str) -> datetime:
    """Return the aware moment that a RFC 3339 text names; raises ``ValueError``."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"time {text!r} has no zone")
    return moment.astimezone(UTC)
