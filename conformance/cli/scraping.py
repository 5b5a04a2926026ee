"""Metrics from files and URLs, as an object that policies judge."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import attrs

from conformance.cli.exits import ExitCode, Refusal
from conformance.policy import metrics
from conformance.policy.manifests.files import LARGEST_BYTES
from conformance.policy.metrics import MetricsError, Scrape
from conformance.policy.model import Place, Trouble
from conformance.policy.world import Manifest

#: Seconds that a server has to answer.
_TIMEOUT = 10.0
#: Bytes that are read at once.
_CHUNK = 2**16


@attrs.frozen(kw_only=True)
class Scraped:
    """What metrics tell."""

    manifests: tuple[Manifest, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    notes: tuple[str, ...] = ()


def read(sources: Sequence[str]) -> Scraped:
    """Return what the scrapes tell, the oldest first.

    Raises ``Refusal`` for a file that does not exist and for a server that does not answer.
    """
    if not sources:
        return Scraped()
    place = Place(file=sources[-1])
    try:
        measured = metrics.figures([_scrape(source) for source in sources])
    except MetricsError as error:
        return Scraped(troubles=(Trouble(place=place, sentence=str(error)),))
    manifest = Manifest(object=measured, place=place)
    return Scraped(manifests=(manifest,), notes=(metrics.told(measured),))


def _scrape(source: str) -> Scrape:
    data, at = _fetched(source) if source.startswith(("http://", "https://")) else _read(source)
    if len(data) > LARGEST_BYTES:
        raise MetricsError(f"is larger than {LARGEST_BYTES >> 20} MiB")
    return metrics.parse(data.decode("utf-8", "replace"), at)


def _read(source: str) -> tuple[bytes, float]:
    """Return a file, and when it was written: that is when it was scraped."""
    path = Path(source)
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST_BYTES + 1), path.stat().st_mtime
    except OSError as error:
        sentence = f"{source} cannot be read: {error.strerror or error}"
        raise Refusal(ExitCode.USAGE, sentence) from error


def _fetched(source: str) -> tuple[bytes, float]:
    try:
        # Only http and https come here, as the caller has seen.
        with urllib.request.urlopen(source, timeout=_TIMEOUT) as answer:  # noqa: S310
            return _body(answer), time.time()
    except urllib.error.HTTPError as error:
        sentence = f"{source} answers {error.code} {error.reason}"
        raise Refusal(ExitCode.UNREACHABLE, sentence) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = " ".join(str(getattr(error, "reason", error)).split())
        raise Refusal(ExitCode.UNREACHABLE, f"{source} does not answer: {reason}") from error


def _body(answer: http.client.HTTPResponse) -> bytes:
    """Return the whole answer; raises ``OSError`` or ``HTTPException`` where it does not come."""
    deadline = time.monotonic() + _TIMEOUT
    data = bytearray()
    while len(data) <= LARGEST_BYTES and (part := answer.read1(_CHUNK)):
        data += part
        if time.monotonic() > deadline:
            raise TimeoutError(f"the answer takes longer than {_TIMEOUT:g} s")
    if answer.length and len(data) <= LARGEST_BYTES:
        raise ConnectionError(f"the answer breaks off {answer.length} bytes before its end")
    return bytes(data)
