"""``lint`` judges manifests, says where, and ends with the right code."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from pathlib import Path

import pytest

from conformance import data
from conformance.cli.exits import ExitCode
from conformance.cli.main import main

FAILING = data.fixtures("policies", "drivers", "driver-liveness-probe.fail.yaml")
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
POLICY = """area: mine
policies:
- id: config-maps-are-short
  requirements: [ACME-CFG-01]
  level: must
  match: {kinds: [ConfigMap]}
  require: object.?data.orValue({}).size() < 2
  message: This ConfigMap is too long.
"""


def lint(*arguments: object) -> int:
    return main(["lint", *map(str, arguments)])


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "manifest.yaml"
    path.write_text(CONFIG_MAP + "data: {a: b, c: d}\n", "utf-8")
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.yaml").write_text(POLICY, "utf-8")
    return tmp_path / "policies"


def test_findings_are_data_and_the_summary_is_words(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint(FAILING)

    printed = capsys.readouterr()
    assert code == ExitCode.NOT_CONFORMANT
    assert f"{FAILING}:" in printed.out
    assert "should DRA-ADM-07b driver-liveness-probe: DaemonSet" in printed.out
    assert printed.err.startswith("dra-conformance: not conformant: ")


def test_a_file_in_a_locked_folder_is_told_and_the_others_are_judged(
    manifest: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Path.stat

    def stat(path: Path, **options: bool) -> os.stat_result:
        if "locked" in path.parts:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, **options)

    # Permissions would not stop root.
    monkeypatch.setattr(Path, "stat", stat)

    code = lint("locked/pod.yaml", manifest)

    printed = capsys.readouterr()
    assert code == ExitCode.INCOMPLETE
    assert "locked/pod.yaml:1:1: cannot be read: " in printed.err
    assert "1 object of kinds without policies" in printed.err


def test_nothing_found_is_conformant(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = lint(manifest)

    printed = capsys.readouterr()
    assert code == ExitCode.CONFORMANT
    assert printed.out == ""
    assert "1 object of kinds without policies" in printed.err


def test_policies_of_a_vendor_judge_as_well(
    manifest: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = lint(manifest, "--policy", mine)

    assert code == ExitCode.NOT_CONFORMANT
    assert capsys.readouterr().out == (
        f"{manifest}:1:1: must ACME-CFG-01 config-maps-are-short: ConfigMap a: "
        "This ConfigMap is too long.\n"
    )


def test_advice_and_what_is_lighter_do_not_fail(manifest: Path, mine: Path) -> None:
    policy = mine / "mine.yaml"
    policy.write_text(POLICY.replace("level: must", "level: should"), "utf-8")

    assert lint(manifest, "--policy", mine, "--fail-on", "must") == ExitCode.CONFORMANT
    assert lint(manifest, "--policy", mine) == ExitCode.NOT_CONFORMANT


def test_a_malformed_policy_is_a_wrong_question(
    manifest: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mine / "mine.yaml").write_text(POLICY.replace("< 2", "<"), "utf-8")

    assert lint(manifest, "--policy", mine) == ExitCode.USAGE
    assert "policies/mine.yaml:7:12: does not compile: Syntax error" in capsys.readouterr().err


def test_a_file_that_cannot_be_judged_leaves_the_rest_judged(
    manifest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: {{ .Values.a }}\n", "utf-8")

    assert lint(manifest, broken) == ExitCode.INCOMPLETE
    assert f"{broken}:1:5: this template was not rendered" in capsys.readouterr().err
    assert lint(FAILING, broken) == ExitCode.NOT_CONFORMANT


@pytest.mark.parametrize(
    "piped",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"Error: chart not found\n", id="a complaint"),
        pytest.param(b"- 1\n", id="a list"),
    ],
)
def test_a_pipe_without_manifests_is_no_answer(
    piped: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped)))

    assert lint("-") == ExitCode.INCOMPLETE
    assert "nothing to judge in standard input" in capsys.readouterr().err


def test_a_file_that_holds_no_object_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = tmp_path / "values.yaml"
    values.write_text("image: a\n", "utf-8")

    assert lint(values) == ExitCode.CONFORMANT
    assert f"no Kubernetes object is in {values}" in capsys.readouterr().err


def test_a_path_that_does_not_exist_is_a_wrong_question(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lint("nowhere.yaml") == ExitCode.USAGE
    assert capsys.readouterr().err == "dra-conformance: no such file or folder: nowhere.yaml\n"


def test_json_tells_file_line_object_id_level_and_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lint(FAILING, "--format", "json")

    found = json.loads(capsys.readouterr().out)["findings"]
    (probe,) = [one for one in found if one["policy"] == "driver-liveness-probe"]
    assert probe["file"] == str(FAILING)
    assert probe["line"] > 1
    assert probe["object"].startswith("DaemonSet ")
    assert (probe["id"], probe["level"]) == ("DRA-ADM-07b", "should")


def test_documents_lie_in_the_folder(tmp_path: Path) -> None:
    lint(FAILING, "--out", tmp_path / "out")

    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["junit.xml", "report.html", "report.json", "report.sarif"]


def test_a_waiver_excuses_until_its_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waivers = tmp_path / "waivers.yaml"
    waivers.write_text(
        "waivers:\n"
        + "".join(
            f"- id: {name}\n  reason: Known.\n  until: {until}\n  link: https://example.com/1\n"
            for name, until in (("DRA-ADM-07b", "2999-01-01"), ("DRA-ADM-01", "2020-01-01"))
        ),
        "utf-8",
    )

    lint(FAILING, "--waivers", waivers, "--format", "json")

    printed = capsys.readouterr()
    excused = json.loads(printed.out)["excused"]
    assert [one["policy"] for one in excused] == ["driver-liveness-probe"]
    assert "the waiver of DRA-ADM-01 ended on 2020-01-01" in printed.err
