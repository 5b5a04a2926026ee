"""A target that cannot be asked gets one sentence and exit code 3, before anything is created."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from conformance.cli.exits import ExitCode
from conformance.cli.main import main
from conformance.tests.acceptance.bad_input import (
    DRA,
    VERSION,
    Answers,
    kubeconfig,
    server,
    status,
)
from conformance.tests.acceptance.test_bad_input import words_of

REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
NO_RIGHTS = (201, {"kind": "SelfSubjectAccessReview", "status": {"allowed": False}})
UNAUTHORIZED = status(401, "Unauthorized", "Unauthorized")
FORBIDDEN = status(403, "Forbidden", "pods is forbidden")


def judged(path: Path, tmp_path: Path) -> int:
    return main(
        ["run", "--target", "kube", "--kubeconfig", str(path), "--out", str(tmp_path / "o")]
    )


def certified(path: Path, tmp_path: Path) -> int:
    named = ["--driver-name", "a.example", "--device-class", "c", "--kubeconfig", str(path)]
    return main(["certify", *named, "--out", str(tmp_path / "o")])


def cleaned(path: Path, tmp_path: Path) -> int:
    return main(["clean", "--kubeconfig", str(path)])


@pytest.mark.parametrize("ask", [judged, certified, cleaned])
@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        pytest.param("http://127.0.0.1:{closed}", "Connection refused", id="refused"),
        pytest.param("https://127.0.0.1:{plain}", "SSLError", id="TLS to a plain server"),
        pytest.param("http://no-such-host.invalid", "Failed to resolve", id="no such host"),
    ],
)
def test_a_server_that_does_not_answer(
    ask: object, url: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(ask)
    with socket.socket() as reserved, server({}) as plain:
        reserved.bind(("127.0.0.1", 0))
        ports = {"closed": reserved.getsockname()[1], "plain": plain.rpartition(":")[2]}
        code = ask(kubeconfig(tmp_path / "kubeconfig", url.format(**ports)), tmp_path)

    words = words_of(capsys)
    assert code == ExitCode.UNREACHABLE
    assert "does not answer" in words
    assert sentence in words


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        pytest.param(
            {}, "refuses GET /version: 404 Unknown: the server answered without", id="a web server"
        ),
        pytest.param(
            {"/version": (200, "<html>")}, "the answer to GET /version is not JSON", id="a web page"
        ),
        pytest.param({"/version": (200, {"x": 1})}, "/version names no version", id="other JSON"),
        pytest.param({"/version": UNAUTHORIZED}, "401 Unauthorized", id="unknown credentials"),
        pytest.param(
            {"/version": (200, {"major": "1", "minor": "31"})},
            "is Kubernetes 1.31; what is judged here begins with 1.34",
            id="an old cluster",
        ),
        pytest.param(
            {"/version": VERSION}, "serves no resource.k8s.io/v1: Dynamic", id="a cluster without"
        ),
        pytest.param(
            {"/version": VERSION, "/apis/resource.k8s.io/v1": FORBIDDEN},
            "refuses GET /apis/resource.k8s.io/v1: 403 Forbidden",
            id="discovery forbidden",
        ),
        pytest.param(
            {"/version": VERSION, "/apis/resource.k8s.io/v1": DRA, REVIEWS: NO_RIGHTS},
            "do not allow what checks do: create namespaces, delete namespaces, list nodes",
            id="no permission",
        ),
    ],
)
def test_a_server_that_cannot_be_judged(
    answers: Answers, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server(answers) as url:
        code = judged(kubeconfig(tmp_path / "kubeconfig", url), tmp_path)

    assert code == ExitCode.UNREACHABLE
    assert sentence in words_of(capsys)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        pytest.param({}, "refuses GET /version: 404", id="a web server"),
        pytest.param({"/version": UNAUTHORIZED}, "401 Unauthorized", id="unknown credentials"),
        pytest.param(
            {"/version": VERSION, "/api/v1/pods?labelSelector=dra-conformance/run": FORBIDDEN},
            "pods cannot be listed: 403 Forbidden",
            id="no permission",
        ),
    ],
)
def test_a_cluster_that_cannot_be_searched_is_not_called_clean(
    answers: Answers, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server(answers) as url:
        code = cleaned(kubeconfig(tmp_path / "kubeconfig", url), tmp_path)

    assert code == ExitCode.UNREACHABLE
    assert sentence in words_of(capsys)


@pytest.mark.parametrize(
    ("path", "code", "sentence"),
    [
        pytest.param("/nothing", ExitCode.USAGE, "the cluster has no DeviceClass 'c'", id="none"),
        pytest.param("", ExitCode.UNREACHABLE, "can't be read: 403 Forbidden", id="forbidden"),
    ],
)
def test_a_class_that_is_missing_is_told_from_one_that_may_not_be_read(
    path: str, code: ExitCode, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {
        "/version": VERSION,
        "/apis/resource.k8s.io/v1": DRA,
        f"/apis/resource.k8s.io/v1/deviceclasses/c{path}": FORBIDDEN,
    }
    with server(answers) as url:
        ended = certified(kubeconfig(tmp_path / "kubeconfig", url), tmp_path)

    assert ended == code
    assert sentence in words_of(capsys)
