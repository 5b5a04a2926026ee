"""``doctor`` reads a live cluster and judges what it read; ``--metrics`` draws a conclusion."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from conformance.catalogue import loading as catalogue
from conformance.cli import inspection
from conformance.cli.exits import ExitCode
from conformance.cli.main import main
from conformance.kube.kubeconfig import written
from conformance.kube.objects import Object
from conformance.kube.status import StatusError, forbidden
from conformance.policy import loading
from conformance.tests.policy.test_metrics import DEEP, HEALTHY, MANY, replaced
from conformance.trust.certificates import throwaway

GROUPS = {
    "groups": [
        {
            "name": "resource.k8s.io",
            "versions": [
                {"groupVersion": "resource.k8s.io/v1"},
                {"groupVersion": "resource.k8s.io/v1beta1"},
            ],
        }
    ]
}


def served(kind: str, plural: str) -> dict[str, Any]:
    return {"kind": kind, "name": plural, "verbs": ["get", "list"]}


class Answers:
    """A cluster of canned answers; ``server`` is its name."""

    server = "https://cluster.example"

    def __init__(self, **changes: Any) -> None:
        self.asked: list[tuple[str, str]] = []
        self.answers: dict[str, Any] = {
            "/version": {"gitVersion": "v1.37.2"},
            "/api": {"versions": ["v1"]},
            "/apis": GROUPS,
            "/api/v1": {"resources": [served("Pod", "pods"), served("Pod", "pods/status")]},
            "/apis/resource.k8s.io/v1": {"resources": [served("DeviceClass", "deviceclasses")]},
            "/apis/resource.k8s.io/v1beta1": {
                "resources": [
                    served("DeviceClass", "deviceclasses"),
                    served("ResourceSlice", "resourceslices"),
                ]
            },
            "/api/v1/pods": {"items": []},
            "/apis/resource.k8s.io/v1/deviceclasses": {"items": []},
            "/apis/resource.k8s.io/v1beta1/resourceslices": {"items": []},
            **changes,
        }

    def ask(self, method: str, path: str, *, query: dict[str, str] | None = None) -> Object:
        assert method == "GET"
        self.asked.append((path, (query or {}).get("continue", "")))
        answer = self.answers[path]
        if isinstance(answer, StatusError):
            raise answer
        return answer.pop(0) if isinstance(answer, list) else answer


def read(answers: Answers) -> inspection.Inventory:
    policies = loading.load(catalogue.load())
    return inspection.read(answers, policies)  # pyright: ignore[reportArgumentType]  # a double


def test_each_kind_is_read_once_in_the_version_that_serves_it() -> None:
    answers = Answers()
    inventory = read(answers)

    lists = [path for path, _ in answers.asked if path.count("/") > 3 or path == "/api/v1/pods"]
    assert sorted(lists) == [
        "/api/v1/pods",
        "/apis/resource.k8s.io/v1/deviceclasses",
        "/apis/resource.k8s.io/v1beta1/resourceslices",
    ]
    cluster = inventory.manifests[0].object
    assert cluster["version"] == "v1.37.2"
    assert cluster["apis"] == ["v1", "resource.k8s.io/v1", "resource.k8s.io/v1beta1"]


def test_long_lists_are_read_to_their_end() -> None:
    pages = [
        {"items": [{"metadata": {"name": "a", "managedFields": [1]}}],
         "metadata": {"continue": "more"}},
        {"items": [{"metadata": {"name": "b"}}]},
    ]  # fmt: skip
    inventory = read(Answers(**{"/api/v1/pods": pages}))

    pods = [one for one in inventory.manifests if one.kind == "Pod"]
    assert [(one.name, one.object["apiVersion"]) for one in pods] == [("a", "v1"), ("b", "v1")]
    assert "managedFields" not in pods[0].object["metadata"]


def test_what_may_not_be_read_is_told_and_the_rest_is_read() -> None:
    refused = forbidden("pods", "", "", "user a cannot list them")
    inventory = read(Answers(**{"/api/v1/pods": refused}))

    (trouble,) = inventory.troubles
    assert str(trouble).startswith("cluster: Pod objects can't be read: ")
    assert inventory.manifests[0].object["unread"] == [trouble.sentence]


def test_what_a_daemon_set_makes_is_known_and_not_judged() -> None:
    pods = [
        {"metadata": {"name": name, "ownerReferences": [{"kind": kind, "controller": True}]}}
        for name, kind in (("made", "DaemonSet"), ("static", "Node"))
    ]
    inventory = read(Answers(**{"/api/v1/pods": {"items": pods}}))

    judged = {one.name: one.judged for one in inventory.manifests if one.kind == "Pod"}
    assert judged == {"made": False, "static": True}


def test_a_question_without_anything_to_ask_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == ExitCode.USAGE
    assert "give --kubeconfig, --metrics, or both" in capsys.readouterr().err


def test_a_kubeconfig_that_does_not_exist_is_a_wrong_question(tmp_path: Path) -> None:
    assert main(["doctor", "--kubeconfig", str(tmp_path / "none")]) == ExitCode.USAGE


@pytest.fixture
def scrape(tmp_path: Path) -> Path:
    path = tmp_path / "metrics.txt"
    path.write_text(HEALTHY, "utf-8")
    os.utime(path, (1300, 1300))
    return path


def test_metrics_of_a_queue_that_keeps_up(scrape: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--metrics", str(scrape)])

    assert code == ExitCode.CONFORMANT
    assert "work queue resource_claim: 2 adds per second over 300 s, 2 waiting" in (
        capsys.readouterr().err
    )


def test_metrics_of_a_queue_that_backs_up(scrape: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scrape.write_text(replaced(MANY, DEEP), "utf-8")
    os.utime(scrape, (1300, 1300))

    code = main(["doctor", "--metrics", str(scrape)])

    assert code == ExitCode.NOT_CONFORMANT
    assert "DRA-ADM-15 claim-queue-wants-fewer-pods" in capsys.readouterr().out


@pytest.fixture
def server() -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(403 if self.path == "/other" else 200)
            if self.path == "/broken":
                self.send_header("Content-Length", str(len(HEALTHY) + 7))
            self.end_headers()
            self.wfile.write(HEALTHY.encode())

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()


def test_metrics_come_from_a_url_as_well(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--metrics", f"{server}/metrics"]) == ExitCode.CONFORMANT
    assert main(["doctor", "--metrics", f"{server}/other"]) == ExitCode.UNREACHABLE
    assert "answers 403" in capsys.readouterr().err


def test_half_an_answer_is_no_scrape(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--metrics", f"{server}/broken"]) == ExitCode.UNREACHABLE
    assert "the answer breaks off 7 bytes before its end" in capsys.readouterr().err


def test_what_is_no_metrics_cannot_be_judged(
    scrape: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scrape.write_text("<html>", "utf-8")

    assert main(["doctor", "--metrics", str(scrape)]) == ExitCode.INCOMPLETE
    assert f"{scrape}: is no text of Prometheus" in capsys.readouterr().err


class Guarded:
    """A server of metrics over TLS that wants a token, and remembers what it was shown."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[str | None] = []
        guarded = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                authorization = self.headers.get("Authorization")
                connection: Any = self.connection
                guarded.shown.append(authorization)
                if self.path == "/elsewhere":
                    self.send_response(302)
                    self.send_header("Location", "/metrics")
                elif self.path == "/certified":
                    # An empty one is what it looks like where none was shown.
                    self.send_response(200 if connection.getpeercert() else 401)
                elif authorization == "Bearer secret":
                    self.send_response(200)
                else:
                    self.send_response(403 if authorization else 401)
                self.end_headers()
                self.wfile.write(HEALTHY.encode())

            def log_message(self, *args: object) -> None:
                pass

        trust = throwaway("127.0.0.1")
        self.authority = folder / "ca.crt"
        self.authority.write_bytes(trust.authority)
        self.token = folder / "token"
        self.token.write_text("secret\n")
        self.httpd = HTTPServer(("127.0.0.1", 0), Page)
        self.context = trust.context
        self.httpd.socket = trust.context.wrap_socket(self.httpd.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.httpd.server_port}/metrics"

    def trust_client(self, certificate: Path) -> None:
        self.context.load_verify_locations(certificate)
        self.context.verify_mode = ssl.CERT_OPTIONAL


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    made = Guarded(tmp_path)
    with made.httpd:
        thread = threading.Thread(target=made.httpd.serve_forever)
        thread.start()
        yield made
        made.httpd.shutdown()
        thread.join()


def test_a_server_is_shown_the_token_that_was_given_for_it(guarded: Guarded) -> None:
    words = ["doctor", "--metrics", guarded.url, "--metrics-token-file", str(guarded.token)]

    assert main([*words, "--metrics-ca", str(guarded.authority)]) == ExitCode.CONFORMANT
    assert main([*words, "--metrics-insecure"]) == ExitCode.CONFORMANT
    assert guarded.shown == ["Bearer secret"] * 2


def test_whoever_is_not_trusted_is_shown_nothing(
    guarded: Guarded, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["doctor", "--metrics", guarded.url, "--metrics-token-file", str(guarded.token)]

    assert main(words) == ExitCode.UNREACHABLE
    assert "give its certificate authority (--metrics-ca)" in capsys.readouterr().err
    assert guarded.shown == []


def test_a_token_goes_nowhere_else(guarded: Guarded, capsys: pytest.CaptureFixture[str]) -> None:
    url = guarded.url.replace("/metrics", "/elsewhere")
    trusted = ["--metrics-token-file", str(guarded.token), "--metrics-insecure"]

    assert main(["doctor", "--metrics", url, *trusted]) == ExitCode.UNREACHABLE
    assert "so name the one it leads to" in capsys.readouterr().err
    assert len(guarded.shown) == 1


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        pytest.param(None, "answers 401 Unauthorized; give --metrics-token-file", id="none"),
        pytest.param("other", "needs the right to get the nonResourceURL /metrics", id="other"),
    ],
)
def test_a_server_that_wants_more_says_what(
    guarded: Guarded, token: str | None, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    guarded.token.write_text(token or "")
    more = ["--metrics-token-file", str(guarded.token)] if token else []

    code = main(["doctor", "--metrics", guarded.url, "--metrics-insecure", *more])

    assert code == ExitCode.UNREACHABLE
    assert sentence in capsys.readouterr().err


def test_a_url_is_not_shown_what_a_kubeconfig_holds(guarded: Guarded, tmp_path: Path) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    document = written(guarded.url.removesuffix("/metrics"), "secret", name="here")
    kubeconfig.write_text(yaml.safe_dump(document))
    words = ["doctor", "--kubeconfig", str(kubeconfig), "--metrics", guarded.url]

    assert main([*words, "--metrics-insecure"]) == ExitCode.UNREACHABLE
    assert guarded.shown == [None]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--metrics", "{file}", "--metrics-token-file", "{file}"], "goes with an https URL"),
        (["--metrics", "http://a/m", "--metrics-insecure"], "goes with an https URL"),
        (
            [
                "--metrics",
                "http://a/m",
                "--metrics",
                "https://a/m",
                "--metrics-token-file",
                "{file}",
            ],
            "is shown over https alone, not to http://a/m",
        ),
        (["--metrics", "https://a/m", "--metrics-token-file", "{none}"], "cannot be read"),
        (["--metrics", "https://a/m", "--metrics-token-file", "{folder}"], "cannot be read"),
        (["--metrics", "https://a/m", "--metrics-token-file", "{file}"], "expected one token"),
        (["--metrics", "https://a/m", "--metrics-client-key", "{file}"], "client-certificate"),
        (["--metrics", "https://a/m", "--metrics-client-certificate", "{file}"], "can't be used"),
        (["--metrics", "https://a/m", "--metrics-ca", "{file}"], "can't be used"),
        (["--metrics", "https://a/m", "--metrics-ca", "{none}"], "can't be used"),
        (["--metrics", "https://a/m", "--metrics-ca", "a", "--metrics-insecure"], "either"),
        (["--metrics", "ftp://a/m"], "is no http or https URL"),
        (["--metrics", "http://a:99999/"], "is no http or https URL"),
    ],
)
def test_how_urls_are_asked_must_make_sense(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, none = tmp_path / "file", tmp_path / "none"
    file.write_text("two words")
    given = [one.format(file=file, none=none, folder=tmp_path) for one in words]

    code = main(["doctor", *given])

    said = capsys.readouterr().err
    assert code == ExitCode.USAGE, said
    assert sentence in said
    assert said.count("\n") == 1


def client_certificate() -> tuple[bytes, bytes]:
    """Return a certificate that signs itself, and its key, as PEM."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    return (
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain),
    )


@pytest.mark.parametrize("beside", [True, False], ids=["key beside it", "key in the same file"])
def test_a_client_certificate_is_shown_too(
    guarded: Guarded, tmp_path: Path, beside: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, key = client_certificate()
    client, private = tmp_path / "client.crt", tmp_path / "client.key"
    client.write_bytes(certificate if beside else certificate + key)
    private.write_bytes(key)
    guarded.trust_client(client)
    words = ["doctor", "--metrics", guarded.url.replace("/metrics", "/certified")]
    words += ["--metrics-insecure"]

    without = main(words)
    words += ["--metrics-client-certificate", str(client)]
    words += ["--metrics-client-key", str(private)] if beside else []
    code = main(words)

    assert (without, code) == (ExitCode.UNREACHABLE, ExitCode.CONFORMANT), capsys.readouterr().err
