"""A wrong question gets one sentence on stderr, exit code 2, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.cli.exits import ExitCode
from conformance.cli.main import main
from conformance.tests.acceptance.bad_input import QUICK, kubeconfig

GATE = "DRADeviceBindingConditions"
CERTIFY = ["certify", "--driver-name", "a.example", "--device-class", "c"]


def words_of(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one sentence that was said; nothing may stand on stdout."""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1, printed.err
    assert printed.err.startswith("dra-conformance: ")
    return printed.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["rum"], "no command is called 'rum'; did you mean 'run'?", id="command"),
        pytest.param(["run", "--onyl", "x"], "'--onyl'. Did you mean '--only'?", id="option"),
        pytest.param(["run", "surplus"], "unexpected extra argument", id="argument"),
        pytest.param(["run", "--only", "DRA-BND-99"], "did you mean 'DRA-BND-09'?", id="id"),
        pytest.param(["run", "--skip", "BND-*"], "no requirement is called 'BND-*'", id="glob"),
        pytest.param(["run", "--profile", "cor"], "did you mean 'core'?", id="profile"),
        pytest.param(
            ["run", "--feature-gates", f"{GATE[:-1]}=true"], f"did you mean '{GATE}'?", id="gate"
        ),
        pytest.param(
            ["run", "--feature-gates", GATE], "must be NAME=true or NAME=false", id="gate value"
        ),
        pytest.param(
            ["run", "--kubernetes-version", "1.73"], "did you mean '1.37'?", id="version unknown"
        ),
        pytest.param(
            ["run", "--kubernetes-version", "1.37.2"], "did you mean '1.37'?", id="version patch"
        ),
        pytest.param(
            ["run", "--kubernetes-version", "new"], "version is called 'new'", id="version word"
        ),
        pytest.param(["run", "--max-wait", "soon"], "'soon' is no duration", id="duration"),
        pytest.param(["run", "--max-wait", "-5s"], "'-5s' is no duration", id="negative wait"),
        pytest.param(["run", "--seed", "x"], "'x' is not a valid integer", id="seed"),
        pytest.param(["run", "-n", "many"], "-n 'many' is neither auto nor a number", id="word"),
        pytest.param(["run", "-n", "-1"], "-n '-1' is neither auto nor a number", id="below zero"),
        pytest.param(["run", "-n", "100000"], "a number from 0 to 64", id="too many processes"),
        pytest.param(["run", "--target", "moon"], "'moon' is not one of", id="target"),
        pytest.param(["run", "--target", "kube"], "needs --kubeconfig", id="no kubeconfig"),
        pytest.param(
            ["run", "--kubeconfig", "mine"],
            "--kubeconfig goes with --target kube",
            id="target kube",
        ),
        pytest.param(
            ["run", "--context", "mine"], "--context goes with --target kube", id="context alone"
        ),
        pytest.param(
            ["run", "--component-command", "true {gates}"],
            "--component-command goes with --target kube",
            id="component of the bundled target",
        ),
        pytest.param(
            ["run", "--target", "kube", "--kubeconfig", "mine", "--component-command", "true"],
            "--component-command must say where the gates go: {gates}",
            id="component without gates",
        ),
        pytest.param(
            ["run", "--consumer-command", "/no/such/consumer"],
            "no program '/no/such/consumer'",
            id="no consumer",
        ),
        pytest.param(
            ["run", "--only", QUICK, "--skip", "DRA-BND-*"], "together choose nothing", id="nothing"
        ),
        pytest.param(CERTIFY, "either --driver-command or --kubeconfig", id="no driver"),
        pytest.param(
            [*CERTIFY, "--driver-command", "x {kubeconfg}"], "kubeconfig", id="placeholder"
        ),
        pytest.param(
            [*CERTIFY, "--driver-command", "/no/such/driver"], "/no/such/driver", id="no program"
        ),
        pytest.param(
            ["certify", "--driver-name", "A B", "--device-class", "c", "--driver-command", "true"],
            "--driver-name 'A B'",
            id="driver name",
        ),
    ],
)
def test_a_wrong_question_is_refused(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"

    code = main([*arguments, *(["--out", str(out)] if arguments[0] != "rum" else [])])

    assert code == ExitCode.USAGE
    assert sentence in words_of(capsys)
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(None, "cannot be read: No such file or directory", id="missing"),
        pytest.param("waivers: [", "is not YAML", id="no YAML"),
        pytest.param("[]", "waivers.yaml:1:1:", id="no mapping"),
        pytest.param(
            "waivers:\n- {id: DRA-BND-99, reason: x, until: 2030-01-01, link: 'https://e.com'}\n",
            "waivers.yaml:2:8: no requirement is called 'DRA-BND-99'; did you mean 'DRA-BND-09'?",
            id="unknown id",
        ),
    ],
)
def test_a_wrong_file_of_waivers_is_refused_with_its_place(
    text: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "waivers.yaml"
    if text is not None:
        path.write_text(text, "utf-8")

    code = main(["run", "--waivers", str(path), "--out", str(tmp_path / "out")])

    assert code == ExitCode.USAGE
    assert sentence in words_of(capsys)


@pytest.mark.parametrize(
    ("below", "sentence"),
    [
        pytest.param("", "is a file", id="a file"),
        pytest.param("deeper", "can't be written: Not a directory", id="below a file"),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused(
    below: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "taken"
    out.write_text("mine", "utf-8")

    code = main(["run", "--only", QUICK, "--out", str(out / below)])

    assert code == ExitCode.USAGE
    assert sentence in words_of(capsys)
    assert out.read_text("utf-8") == "mine"


def test_what_no_check_judges_is_not_called_conformant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["run", "--only", "DRA-PST-07b", "--out", str(tmp_path / "out")])

    assert code == ExitCode.INCOMPLETE
    assert "nothing can be judged: no check exists for DRA-PST-07b" in words_of(capsys)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(None, "it cannot be read: No such file or directory", id="missing"),
        pytest.param(b"", "it holds no kubeconfig", id="empty"),
        pytest.param(b"hello", "it holds no kubeconfig", id="a word"),
        pytest.param(b"a: {", "it is not YAML at 1:5", id="no YAML"),
        pytest.param(b"\x89PNG\xff\xfe", "it cannot be read: it is no text", id="an image"),
        pytest.param(b"kind: Config", "it has no current-context", id="no context"),
        pytest.param(
            b"contexts: [{name: prod, context: {cluster: x}}]\ncurrent-context: prd",
            "no context is called 'prd'; did you mean 'prod'?",
            id="unknown context",
        ),
        pytest.param(
            b"contexts: [{name: a, context: {cluster: x}}]\ncurrent-context: a",
            "no cluster is called 'x'",
            id="unknown cluster",
        ),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["run", "--target", "kube", "--out", "o"], id="run"),
        pytest.param([*CERTIFY, "--out", "o"], id="certify"),
        pytest.param(["clean"], id="clean"),
    ],
)
def test_a_kubeconfig_that_makes_no_sense_is_refused(
    command: list[str],
    text: bytes | None,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "kubeconfig"
    if text is not None:
        path.write_bytes(text)

    code = main([*command, "--kubeconfig", str(path)])

    assert code == ExitCode.USAGE
    assert f"kubeconfig {path}: {sentence}" in words_of(capsys)


@pytest.mark.parametrize(
    ("server", "user", "sentence"),
    [
        pytest.param(None, {}, "the cluster 'there' has no server", id="no server"),
        pytest.param("banana", {}, "'banana' is no http or https URL", id="no URL"),
        pytest.param("https://a:99999", {}, "is no http or https URL", id="no port"),
        pytest.param(
            "https://a",
            {"client-certificate": "/no/c", "client-key": "/no/k"},
            "File does not exist: /no/c",
            id="no certificate",
        ),
        pytest.param(
            "https://a",
            {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "/no/plugin"}},
            "the program '/no/plugin', which gives the credentials, is missing",
            id="no credential plugin",
        ),
    ],
)
def test_a_kubeconfig_that_reaches_nothing_is_refused(
    server: str | None,
    user: dict[str, object],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = kubeconfig(tmp_path / "kubeconfig", server, **user)

    code = main(["clean", "--kubeconfig", str(path)])

    assert code == ExitCode.USAGE
    assert sentence in words_of(capsys)
