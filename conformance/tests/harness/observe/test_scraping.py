"""A program is asked for its metrics once, and what was said is evidence."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.exchange import Exchanges
from conformance.harness.observe import scraping
from conformance.harness.process.ports import free_port, metrics_url
from conformance.harness.world import World


class Told(http.server.BaseHTTPRequestHandler):
    """Tells what it was asked by, or what is no text."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/metrics" else 503)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(
            str(self.headers["Accept"]).encode() if self.path == "/metrics" else b"\xff"
        )

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's
        del format, args


@pytest.fixture
def url() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), Told) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield metrics_url(server.server_port)
        server.shutdown()
        thread.join()


@pytest.fixture
def world() -> World:
    api = SimpleNamespace(exchanges=Exchanges())
    return cast("World", SimpleNamespace(api=api, note=api.exchanges.add))


def test_an_answer_is_evidence(world: World, url: str) -> None:
    answer = scraping.scraped(world, url)

    assert (answer.status, answer.content_type) == (200, "text/plain")
    assert answer.text == scraping.TEXT
    (exchange,) = world.api.exchanges.all()
    assert exchange.title() == f"GET {url} → 200"
    assert scraping.TEXT in exchange.body()


def test_an_answer_that_is_no_text_is_told(world: World, url: str) -> None:
    answer = scraping.scraped(world, f"{url}/else")

    assert answer.status == 503
    assert "0xff" in answer.garbled


def test_no_answer_is_one(world: World) -> None:
    answer = scraping.scraped(world, metrics_url(free_port()))

    assert answer.status == 0
    assert "no answer" in str(answer)
    assert world.api.exchanges.all()
