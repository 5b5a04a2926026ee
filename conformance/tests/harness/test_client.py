"""What a request of the harness says on the wire, and by which way it goes."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from conformance.harness.client import MERGE_PATCH, Api, from_kubeconfig, known, with_token
from conformance.harness.errors import TargetUnreachable
from conformance.kube.status import StatusError
from conformance.trust import certificates

NODES = known("", "v1", "nodes")

#: The paths at which the server sends elsewhere, or refuses, and its codes there.
MOVED, EXPIRED = "/moved", "/expired"
CODES = {MOVED: 302, EXPIRED: 410}


class Handler(BaseHTTPRequestHandler):
    """Remembers each request, and answers with an object."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        code = CODES.get(self.path.partition("?")[0], 200)
        data = json.dumps({"kind": "Status" if code >= 400 else "Node", "code": code}).encode()
        self.send_response(code)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_PATCH(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def log_message(self, *parts: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str, dict[str, str], str]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Server]:
    with Server() as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
            server.url = server.url.replace("http:", "https:")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@contextmanager
def described(folder: Path, cluster: dict[str, Any], user: dict[str, Any]) -> Iterator[Api]:
    """Yield the client of a kubeconfig."""
    path = folder / "kubeconfig"
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "one",
        "contexts": [{"name": "one", "context": {"cluster": "one", "user": "one"}}],
        "clusters": [{"name": "one", "cluster": cluster}],
        "users": [{"name": "one", "user": user}],
    }
    path.write_text(json.dumps(document), "utf-8")
    api = from_kubeconfig(path)
    yield api
    api.close()


def test_request_carries_path_query_types_credentials_and_body(
    server: Server, tmp_path: Path
) -> None:
    cluster = {"server": f"{server.url}/behind/a/prefix"}

    with described(tmp_path, cluster, {"token": "secret"}) as api:
        api.list(NODES, labels="a in (b,c)")
        api.patch(NODES, "n", {"a": "ä"})
        api.ask("DELETE", "/x")

    (listed, patched, deleted) = server.seen
    assert listed[:2] == ("GET", "/behind/a/prefix/api/v1/nodes?labelSelector=a%20in%20%28b%2Cc%29")
    assert listed[2]["Accept"] == "application/json"
    assert listed[2]["User-Agent"] == "dra-conformance"
    assert listed[2]["authorization"] == "Bearer secret"
    assert "Content-Type" not in listed[2]
    assert patched[:2] == ("PATCH", "/behind/a/prefix/api/v1/nodes/n")
    assert patched[2]["Content-Type"] == MERGE_PATCH
    assert json.loads(patched[3]) == {"a": "ä"}
    assert (deleted[0], deleted[3]) == ("DELETE", "")
    assert "Content-Type" not in deleted[2]


def test_token_is_asked_for_anew_before_each_request(server: Server) -> None:
    api = with_token(server.url, "first")
    tokens = iter(["second", "third"])

    def renew(configuration: Any) -> None:
        configuration.api_key["authorization"] = f"Bearer {next(tokens)}"

    api.configuration.refresh_api_key_hook = renew
    api.ask("GET", "/x")
    api.ask("GET", "/x")
    api.close()

    assert [one[2]["authorization"] for one in server.seen] == ["Bearer second", "Bearer third"]


def test_others_are_told_by_their_token_or_by_whom_they_act_as(server: Server) -> None:
    admin = with_token(server.url, "admin")
    other, acting = admin.with_token("other"), admin.acting_as("ann", "people")
    for api in (other, acting):
        api.ask("GET", "/x")
    for api in (admin, other, acting):
        api.close()

    (first, second) = (one[2] for one in server.seen)
    assert first["authorization"] == "Bearer other"
    assert second["authorization"] == "Bearer admin"
    assert (second["Impersonate-User"], second["Impersonate-Group"]) == ("ann", "people")


def test_proxy_is_asked_for_the_whole_address(server: Server, tmp_path: Path) -> None:
    cluster = {"server": "http://cluster.example:8080", "proxy-url": server.url}

    with described(tmp_path, cluster, {}) as api:
        api.ask("GET", "/x")

    assert server.seen[0][:2] == ("GET", "http://cluster.example:8080/x")
    assert server.seen[0][2]["Host"] == "cluster.example:8080"


def test_certificate_may_be_that_of_another_name(tmp_path: Path) -> None:
    trust = certificates.throwaway("127.0.0.2")
    authority = tmp_path / "ca"
    authority.write_bytes(trust.authority)

    with serving(trust.context) as server:
        cluster = {"server": server.url, "certificate-authority": str(authority)}
        with described(tmp_path, {**cluster, "tls-server-name": "localhost"}, {}) as api:
            api.ask("GET", "/x")
        with (
            described(tmp_path, {**cluster, "tls-server-name": "another.example"}, {}) as api,
            pytest.raises(TargetUnreachable, match="SSLError"),
        ):
            api.ask("GET", "/y")

    assert [one[1] for one in server.seen] == ["/x"]


def test_no_request_is_repeated_or_sent_elsewhere(server: Server) -> None:
    api = with_token(server.url, "one")
    assert api.ask("GET", MOVED)["kind"] == "Node"
    api.close()

    assert [one[1] for one in server.seen] == [MOVED]


def test_server_that_is_not_there_is_unreachable() -> None:
    api = with_token("http://127.0.0.1:1", "one")

    with pytest.raises(TargetUnreachable, match=r"127\.0\.0\.1:1 does not answer: .*refused"):
        api.ask("GET", "/x")


def test_address_that_is_none_is_unreachable() -> None:
    api = with_token("gopher://cluster.example", "one")

    with pytest.raises(TargetUnreachable, match="does not answer"):
        api.ask("GET", "/x")


def test_refusal_of_a_watch_is_a_status(server: Server) -> None:
    api = with_token(server.url, "one")

    with pytest.raises(StatusError) as raised:
        api.events(EXPIRED, 1, seconds=1)
    api.close()

    assert raised.value.code == 410
    assert server.seen[0][1] == f"{EXPIRED}?watch=true"
