"""Run the suite as a command does: check the question, ask, write the documents, decide.

``run`` and ``certify`` differ in what they ask; everything from there on is the same. The
checks run under pytest in this process, isolated from whatever pytest configuration lies in
the folder where the command was started.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import click
import pytest

from conformance.catalogue import loading, waivers
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.cli import documents
from conformance.cli.exits import ExitCode, Refusal
from conformance.evidence.verdict import Outcome, Verdict
from conformance.harness.errors import TargetMisconfigured, TargetUnreachable
from conformance.harness.targets.opening import TargetOptions, open_target
from conformance.plugin import journal_file
from conformance.report.build import build
from conformance.report.formats import FORMATS
from conformance.report.model import Report

#: What lies in the folder of a run beside its journal.
DOCUMENTS = ("json", "html", "junit")

_EXITS = {
    Verdict.CONFORMANT: ExitCode.CONFORMANT,
    Verdict.NOT_CONFORMANT: ExitCode.NOT_CONFORMANT,
    Verdict.INCOMPLETE: ExitCode.INCOMPLETE,
}


@attrs.frozen(kw_only=True)
class Question:
    """What a person wants to know, and where the answer goes.

    ``arguments`` are options of the suite under pytest, beyond those of the fields here.
    """

    target: TargetOptions
    out: Path
    profiles: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    waivers: Path | None = None
    arguments: tuple[str, ...] = ()
    workers: str | None = None
    package: str = "conformance.suite"


def answer(question: Question) -> ExitCode:
    """Judge, write every document, say the verdict, and return the exit code.

    Raises ``Refusal`` for a question that makes no sense or a target that can't be asked.
    """
    check(question)
    journal = _prepare(question.out) / "journal.jsonl"
    pytest_exit = _judge(question, journal)
    try:
        report = build(journal_file.load(journal))
    except journal_file.JournalFileError as error:
        raise Refusal(ExitCode.INCOMPLETE, f"no check was judged: {error}") from error
    try:
        documents.write(report, question.out, DOCUMENTS)
    except documents.DocumentError as error:
        raise Refusal(ExitCode.INCOMPLETE, str(error)) from error
    _say(report, question.out)
    code = _EXITS[report.verdict]
    if code is ExitCode.CONFORMANT and pytest_exit not in {0, pytest.ExitCode.TESTS_FAILED}:
        # Pytest broke where no record tells of it: silence must not read as a pass.
        raise Refusal(ExitCode.INCOMPLETE, f"the run broke off (pytest exit {int(pytest_exit)})")
    return code


def check(question: Question) -> None:
    """Raise ``Refusal`` for what can be known to be wrong before a check runs."""
    try:
        law = loading.load()
        law.select(question.profiles, question.only, question.skip)
        if question.waivers is not None:
            waivers.load(question.waivers, law)
        target = open_target(question.target)
        try:
            target.describe()
        finally:
            target.close()
    except (UnknownName, CatalogueError, TargetMisconfigured) as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except TargetUnreachable as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error


def _prepare(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in ("journal.jsonl", *(FORMATS[one].filename for one in DOCUMENTS)):
            (out / name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refusal(ExitCode.USAGE, f"the folder {out} can't be written: {reason}") from error
    return out


def _judge(question: Question, journal: Path) -> int:
    target = question.target
    arguments = [
        "--pyargs",
        question.package,
        # No configuration but ours: not the folder's, not the environment's.
        "-c",
        os.devnull,
        f"--rootdir={question.out}",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-q",
        "--tb=line",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        f"--dra-target={target.kind}",
        f"--dra-journal={journal}",
        *_repeated("profile", question.profiles),
        *_repeated("only", question.only),
        *_repeated("skip", question.skip),
        *question.arguments,
    ]
    if question.waivers is not None:
        arguments.append(f"--dra-waivers={question.waivers}")
    if question.workers is not None:
        arguments += ["-n", question.workers]
    with _words_to_stderr():
        return int(pytest.main(arguments))


def _repeated(name: str, values: tuple[str, ...]) -> list[str]:
    return [f"--dra-{name}={value}" for value in values]


@contextlib.contextmanager
def _words_to_stderr() -> Iterator[None]:
    """Let pytest's progress go to stderr, and nothing of the environment into pytest."""
    kept = os.environ.pop("PYTEST_ADDOPTS", None)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.environ["PYTEST_ADDOPTS"] = kept


def _say(report: Report, out: Path) -> None:
    """Print what needs an eye, the verdict, and where to read on."""
    for one in report.requirements:
        if one.outcome in {Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE}:
            click.echo(f"{one.outcome} {one.clause.id}: {' '.join(one.reason.split())[:400]}")
    for warning in report.warnings:
        click.echo(f"dra-conformance: {warning}", err=True)
    click.echo(f"{report.verdict}: {report.summary}")
    click.echo(f"report: {out / FORMATS['html'].filename}")
