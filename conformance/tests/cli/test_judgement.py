"""How a run ends that was stopped after it had found a failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cli import judgement, suite
from conformance.cli.exits import ExitCode
from conformance.evidence.journal import encode
from conformance.evidence.record import Footer
from conformance.harness.targets.opening import TargetOptions
from conformance.tests.report import sample


@pytest.mark.parametrize(
    ("footer", "code"),
    [
        pytest.param(Footer(finished=""), ExitCode.NOT_CONFORMANT, id="to its end"),
        pytest.param(Footer(finished="", interrupted=True), ExitCode.INCOMPLETE, id="stopped"),
        pytest.param(None, ExitCode.INCOMPLETE, id="killed"),
    ],
)
def test_a_failure_stands_in_the_report_however_the_run_ended(
    footer: Footer | None,
    code: ExitCode,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recorded = sample.journal(footer=footer)

    def ran(_package: str, _arguments: Any, *, allure: bool, listeners: Any) -> tuple[int, str]:
        assert not allure
        assert listeners == ()
        events = [recorded.header, *recorded.checks, *([footer] if footer else [])]
        (tmp_path / "journal.jsonl").write_text("".join(map(encode, events)), "utf-8")
        return int(pytest.ExitCode.TESTS_FAILED), ""

    monkeypatch.setattr(suite, "run", ran)

    ended = judgement.answer(judgement.Question(target=TargetOptions(), out=tmp_path))

    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert ended is code
    assert report["verdict"] == "not conformant"
    assert "not conformant: 1 failed" in capsys.readouterr().out
