"""``doctor`` reads a live cluster and judges what it read; ``--metrics`` draws a conclusion."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from conformance.catalogue import loading as catalogue
from conformance.cli import inspection
from conformance.cli.exits import ExitCode
from conformance.cli.main import main
from conformance.kube.objects import Object
from conformance.kube.status import StatusError, forbidden
from conformance.policy import loading
from conformance.tests.policy.test_metrics import DEEP, HEALTHY, MANY, replaced

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
