"""Asking a program for its metrics as Prometheus does: GET, and what may be answered."""

from __future__ import annotations

from typing import Any, cast

import attrs
import urllib3
import urllib3.exceptions

from conformance.harness.exchange import Exchange
from conformance.harness.world import World

#: Seconds that an answer may take: Prometheus' scrape_timeout where nobody says otherwise.
DEADLINE = 10.0

#: What a scraper says that it takes: the text format alone, or what Prometheus 3 takes.
TEXT = "text/plain;version=0.0.4"
PROMETHEUS = (
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
    "application/openmetrics-text;version=0.0.1;q=0.4,"
    "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"
)


@attrs.frozen(kw_only=True)
class Answer:
    """What came back: the status, 0 for no answer at all, of which ``text`` says why then."""

    status: int
    content_type: str = ""
    text: str = ""
    #: Why the body is no UTF-8, empty where it is.
    garbled: str = ""

    def __str__(self) -> str:
        """Return the answer in one line."""
        return f"{self.status} ({self.content_type})" if self.status else self.text


def scraped(world: World, url: str, accept: str = TEXT) -> Answer:
    """Ask once; question and answer are evidence of the check."""
    answer = _asked(url, accept)
    world.note(
        Exchange(
            method="GET",
            path=url,
            request=f"Accept: {accept}",
            status=answer.status,
            response=f"Content-Type: {answer.content_type}\n\n{answer.text}",
        )
    )
    return answer


def _asked(url: str, accept: str) -> Answer:
    headers = {"Accept": accept, "User-Agent": "dra-conformance"}
    again = urllib3.Retry(total=3, connect=0, read=0, status=0, other=0)
    pool: Any = urllib3.PoolManager(headers=headers, retries=again)
    try:
        found: Any = pool.request("GET", url, timeout=urllib3.Timeout(total=DEADLINE))
    except urllib3.exceptions.HTTPError as error:
        return Answer(status=0, text=f"no answer: {' '.join(str(error).split())}")
    finally:
        pool.clear()
    body, garbled = cast("bytes", found.data), ""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text, garbled = body.decode("utf-8", "replace"), str(error)
    kind = str(found.headers.get("Content-Type") or "")
    return Answer(status=int(found.status), content_type=kind, text=text, garbled=garbled)
