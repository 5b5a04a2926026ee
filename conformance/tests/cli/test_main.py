"""The program ends every run with one sentence and the right exit code."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from conformance import __version__
from conformance.cli import main as cli
from conformance.cli.exits import ExitCode, Refusal, nearest


def test_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["certfy"])

    assert code == ExitCode.USAGE
    assert "no command is called 'certfy'; did you mean 'certify'?" in capsys.readouterr().err


def test_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["--nonsense"])

    printed = capsys.readouterr()
    assert code == ExitCode.USAGE
    assert "--nonsense" in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("words", [[], ["upstream"]], ids=["no command", "no subcommand"])
def test_who_names_no_command_is_shown_them(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(words)

    assert code == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("Usage: dra-conformance")


def test_version_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["--version"])

    assert code == ExitCode.CONFORMANT
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize("code", list(ExitCode), ids=lambda code: code.name.lower())
def test_refusal_ends_with_its_code_and_sentence(
    code: ExitCode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**options: object) -> None:
        raise Refusal(code, "the answer is no")

    monkeypatch.setattr(cli, "program", click.Command("program", callback=refuse))

    assert cli.main([]) == code
    assert capsys.readouterr().err == "dra-conformance: the answer is no\n"


def test_interrupt_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "program", click.Command("program", callback=interrupt))

    assert cli.main([]) == ExitCode.INCOMPLETE
    assert "interrupted" in capsys.readouterr().err


def test_python_m_is_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.startswith("dra-conformance, version")


@pytest.mark.parametrize("verb", cli.COMMANDS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main([verb, "--help"])

    printed = capsys.readouterr()
    assert code == ExitCode.CONFORMANT
    assert "Example" in printed.out


def test_nearest_is_silent_when_nothing_is_near() -> None:
    assert nearest("xyz", ["run", "certify"]) == ""
