"""``init`` writes a file that ``certify`` reads, and says how."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from conformance.cli.commands.certify import certify_command
from conformance.cli.exits import ExitCode
from conformance.cli.main import main
from conformance.harness.vendor import configuration


def test_what_it_says_is_a_whole_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my driver.yaml"

    code = main(["init", "--driver-name", "a.example.com", "--file", str(path)])

    said = capsys.readouterr().out
    words = shlex.split(said.rpartition("then: ")[2])
    assert code == ExitCode.CONFORMANT
    assert words[:2] == ["dra-conformance", "certify"]
    with certify_command.make_context("certify", words[2:]) as context:
        assert context.params["config"] == path
    assert configuration.load(path).driver.name == "a.example.com"


def test_a_file_that_is_there_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine")

    assert main(["init", "--file", str(path)]) == ExitCode.USAGE
    assert (
        capsys.readouterr().err == f"dra-conformance: {path} is there already and is left alone\n"
    )
    assert path.read_text() == "mine"
