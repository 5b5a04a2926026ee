"""The gateway passes on what a driver asks, and lets it meet what was asked for."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import attrs
import pytest

from conformance.harness.gateway.gateway import Gateway
from conformance.harness.gateway.way import Way
from conformance.harness.targets.disturbance import ALL, WRITES
from conformance.kube.objects import Object
from conformance.kube.status import not_found
from conformance.trust.trouble import Trouble

SLICES = "/apis/resource.k8s.io/v1/resourceslices"
OURS: Object = {"metadata": {"name": "s"}, "spec": {"driver": "d", "taints": [1]}}
WATCH = f"{SLICES}?watch=true&fieldSelector=spec.driver%3Dd"


class Server(ThreadingHTTPServer):
    """An API server that notes what it is asked, and answers with it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.asked: list[tuple[str, str, str, bytes]] = []
        self.ended = threading.Event()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def handle_one_request(self) -> None:
        with contextlib.suppress(ConnectionError):
            super().handle_one_request()

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        who = self.headers.get("Authorization", "")
        self.server.asked.append((self.command, self.path, who, body))
        if "watch=true" in self.path:
            self._watch()
            return
        code = 403 if "nodes" in self.path else 200
        text = body or b"{}"
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Warning", '299 - "careful"')
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - as the library wants it

    def _watch(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"3\r\none\r\n")
        self.wfile.flush()
        self.server.ended.wait(20)


class Api:
    """Knows one slice of a driver."""

    def get(self, _resource: Any, name: str) -> Object:
        if name != "s":
            raise not_found("resource.k8s.io", "resourceslices", name)
        return OURS

    def close(self) -> None:
        pass


@attrs.frozen(kw_only=True)
class Rig:
    server: Server
    gateway: Gateway
    #: What has to be closed at the end.
    opened: contextlib.ExitStack

    def open(
        self, method: str, path: str, body: Any = None, token: str = "t"
    ) -> http.client.HTTPResponse:
        url, authority = self.gateway.reached
        trusting = ssl.create_default_context(cadata=authority.decode())
        connection = http.client.HTTPSConnection(urlsplit(url).netloc, context=trusting, timeout=10)
        self.opened.callback(connection.close)
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        self.opened.callback(response.close)
        return response

    def ask(self, method: str, path: str, body: Any = None, token: str = "t") -> int:
        response = self.open(method, path, body, token)
        response.read()
        return response.status


@pytest.fixture
def rig() -> Iterator[Rig]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    api: Any = Api()
    gateway = Gateway(api, Way(server=f"http://127.0.0.1:{server.server_port}"))
    try:
        with contextlib.ExitStack() as opened:
            yield Rig(server=server, gateway=gateway, opened=opened)
    finally:
        server.ended.set()
        gateway.close()
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_request_is_passed_on_as_it_is_with_its_credentials(rig: Rig) -> None:
    response = rig.open("PUT", f"{SLICES}/s?fieldManager=a%2Bb", OURS)

    assert json.loads(response.read()) == OURS
    assert response.headers["Warning"] == '299 - "careful"'
    ((method, path, who, body),) = rig.server.asked
    assert (method, path, who) == ("PUT", f"{SLICES}/s?fieldManager=a%2Bb", "Bearer t")
    assert json.loads(body) == OURS


def test_what_was_asked_is_remembered_with_whether_it_was_allowed(rig: Rig) -> None:
    rig.gateway.known_as("system:serviceaccount:a:b")

    for path in (SLICES, "/api/v1/nodes/n", "/version"):
        rig.ask("GET", path)

    acts = [(one.user, one.verb, one.resource, one.allowed) for one in rig.gateway.acts()]
    assert acts == [
        ("system:serviceaccount:a:b", "list", "resourceslices", True),
        ("system:serviceaccount:a:b", "get", "nodes", False),
    ]


def test_writes_of_the_driver_are_refused_and_those_of_another_are_not(rig: Rig) -> None:
    trouble = Trouble(verbs=WRITES, code=409, times=2)
    other = {"spec": {"driver": "e"}}

    with rig.gateway.disturbed("d", trouble) as met:
        codes = [
            rig.ask("POST", SLICES, other),
            rig.ask("POST", SLICES, OURS),
            rig.ask("GET", f"{SLICES}/s"),
            rig.ask("DELETE", f"{SLICES}/s"),
            rig.ask("DELETE", f"{SLICES}/unknown"),
            rig.ask("PUT", f"{SLICES}/s", OURS),
        ]
        seen = [(one.verb, one.code) for one in met.requests()]

    assert codes == [200, 409, 200, 409, 200, 200]
    assert seen == [("create", 409), ("get", 200), ("delete", 409), ("update", 200)]
    assert rig.ask("POST", SLICES, OURS) == 200


def test_a_slice_that_is_applied_before_it_is_there_is_the_drivers(rig: Rig) -> None:
    with rig.gateway.disturbed("d", Trouble(verbs=WRITES, code=409, times=1)):
        codes = [rig.ask("PATCH", f"{SLICES}/new", OURS) for _ in range(2)]

    assert codes == [409, 200]


def test_the_newest_trouble_is_met_alone(rig: Rig) -> None:
    with (
        rig.gateway.disturbed("d", Trouble(verbs=WRITES, code=500)),
        rig.gateway.disturbed("d", Trouble(verbs=WRITES, code=503)),
    ):
        assert rig.ask("POST", SLICES, OURS) == 503


def test_fields_are_dropped_on_the_way(rig: Rig) -> None:
    with rig.gateway.disturbed("d", Trouble(verbs=WRITES, dropped=frozenset({"taints"}))):
        rig.ask("POST", SLICES, OURS)

    assert json.loads(rig.server.asked[-1][3])["spec"] == {"driver": "d"}


def test_a_connection_breaks_before_there_is_an_answer(rig: Rig) -> None:
    with rig.gateway.disturbed("d", Trouble(verbs=WRITES, broken=True, times=1)) as met:
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            rig.ask("POST", SLICES, OURS)
        assert [one.code for one in met.requests()] == [0]
    assert rig.server.asked == []


def test_a_watch_goes_on_until_it_is_cut(rig: Rig) -> None:
    response = rig.open("GET", WATCH)
    assert response.read(3) == b"one"

    with rig.gateway.disturbed("d", Trouble(verbs=ALL)) as met:
        met.cut_watches()

    with pytest.raises((http.client.HTTPException, ConnectionError)):
        response.read(1)


def test_nobody_is_there_while_it_is_away_and_then_at_the_same_place(rig: Rig) -> None:
    before, response = rig.gateway.reached, rig.open("GET", WATCH)

    with rig.gateway.away():
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            response.read()
        with pytest.raises(ConnectionError):
            rig.ask("GET", SLICES)

    assert rig.gateway.reached == before
    assert rig.ask("GET", SLICES) == 200


def test_a_token_that_has_ended_is_refused(rig: Rig) -> None:
    turn = rig.gateway.replaced("old", "new")
    asked: Callable[[str], int] = lambda token: rig.ask("GET", SLICES, token=token)  # noqa: E731

    both = asked("old"), asked("new")
    turn.end()

    assert both == (200, 200)
    assert (asked("old"), asked("new"), asked("another")) == (401, 200, 200)
    assert (turn.used, turn.refused) == (2, 1)


def test_a_server_that_is_gone_is_said(rig: Rig) -> None:
    rig.server.shutdown()
    rig.server.server_close()

    assert rig.ask("GET", SLICES) == 502
