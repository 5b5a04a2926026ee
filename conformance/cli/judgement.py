"""Run the suite as a command does: check the question, ask, write the documents, decide.

``run`` and ``certify`` differ in what they ask; everything from there on is the same. The
checks run under pytest in this process (see ``suite``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest

from conformance.catalogue import loading, proofs, waivers
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.catalogue.model import Catalogue
from conformance.cli import console, documents, suite
from conformance.cli.exits import ExitCode, Refusal
from conformance.evidence.verdict import Outcome, Verdict
from conformance.harness.access import permission
from conformance.harness.errors import TargetMisconfigured, TargetUnreachable
from conformance.harness.target import PLAIN
from conformance.harness.targets.opening import TargetOptions, open_target
from conformance.plugin import journal_file
from conformance.report.build import build
from conformance.report.formats import FORMATS
from conformance.report.model import Report

#: What lies in the folder of a run beside its journal.
DOCUMENTS = ("json", "html", "junit")

#: So many ids stand in a sentence.
_NAMED = 3

_EXITS = {
    Verdict.CONFORMANT: ExitCode.CONFORMANT,
    Verdict.NOT_CONFORMANT: ExitCode.NOT_CONFORMANT,
    Verdict.INCOMPLETE: ExitCode.INCOMPLETE,
}


def nothing_more(_report: Report) -> Sequence[str]:
    """Say no more than the verdict."""
    return ()


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
    #: True where the Allure plugin is asked for results.
    allure: bool = False
    #: Modules of the suite, as in a checkout, where others hold nothing that is asked; empty: all.
    modules: tuple[str, ...] = ()
    #: Plugins of pytest that hear of checks while they run.
    listeners: tuple[object, ...] = ()
    #: Called with the report once everything is written: says more, and returns objections, each
    #: of which keeps the run from being a success.
    concluding: Callable[[Report], Sequence[str]] = nothing_more


def answer(question: Question) -> ExitCode:
    """Judge, write every document, say the verdict, and return the exit code.

    Raises ``Refusal`` for a question that makes no sense or a target that can't be asked.
    """
    check(question)
    journal = _prepare(question.out) / "journal.jsonl"
    pytest_exit, ended = suite.run(
        question.modules,
        _arguments(question, journal),
        allure=question.allure,
        listeners=question.listeners,
    )
    try:
        recorded = journal_file.load(journal)
        report = build(recorded)
    except journal_file.JournalFileError as error:
        raise Refusal(ExitCode.INCOMPLETE, f"no check was judged: {ended or error}") from error
    troubles = [ended] if ended else []
    try:
        documents.write(report, question.out, DOCUMENTS)
    except documents.DocumentError as error:
        troubles.append(str(error))
    _say(report)
    if troubles:
        sentence = f"{'; '.join(troubles)}; what was judged until then is in {journal}"
        raise Refusal(ExitCode.INCOMPLETE, sentence)
    objections = question.concluding(report)
    console.data(f"report: {question.out / FORMATS['html'].filename}")
    # A failure found before an interruption stands in the report; the run was cut short still.
    code = _EXITS[report.verdict] if recorded.complete else ExitCode.INCOMPLETE
    if code is ExitCode.CONFORMANT and pytest_exit != pytest.ExitCode.OK:
        # Pytest broke where no record tells of it: silence must not read as a pass.
        raise Refusal(ExitCode.INCOMPLETE, f"the run broke off (pytest exit {pytest_exit})")
    for sentence in objections:
        console.words(sentence)
    return ExitCode.NOT_CONFORMANT if objections and code is ExitCode.CONFORMANT else code


def check(question: Question) -> None:
    """Raise ``Refusal`` for what can be known to be wrong before a check runs."""
    try:
        law = loading.load()
        _check_selection(question, law)
        if question.waivers is not None:
            _check_waivers(question.waivers, law)
        target = open_target(question.target)
        try:
            target.describe()
            if question.target.kind == "kube":
                live = question.target.driver.name != ""
                acts = permission.ALWAYS if live else permission.ALWAYS + permission.CLUSTER
                permission.demand(target.cluster(PLAIN).api, acts)
        finally:
            target.close()
    except (UnknownName, CatalogueError, TargetMisconfigured) as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except TargetUnreachable as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error


def _check_selection(question: Question, law: Catalogue) -> None:
    """Refuse to judge nothing: it would look like an answer."""
    chosen = law.select(question.profiles, question.only, question.skip)
    if not chosen:
        raise Refusal(ExitCode.USAGE, "--profile, --only and --skip together choose nothing")
    if len(chosen) == len(law.requirements):
        return  # All of it was: checks exist, and to read them takes half a second.
    proved = proofs.collect()
    if not any(proved.checks_of(one.id) for one in chosen):
        names = ", ".join(one.id for one in chosen[:_NAMED])
        more = f" and {len(chosen) - _NAMED} more" if len(chosen) > _NAMED else ""
        raise Refusal(
            ExitCode.INCOMPLETE,
            f"nothing can be judged: no check exists for {names}{more} "
            "(dra-conformance explain says why)",
        )


def _check_waivers(path: Path, law: Catalogue) -> None:
    today = datetime.now(UTC).date()
    for one in waivers.load(path, law).values():
        if not one.holds(today):
            console.words(f"the waiver of {one.id} ended on {one.until} and no longer holds")


def _prepare(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in ("journal.jsonl", *(FORMATS[one].filename for one in DOCUMENTS)):
            (out / name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refusal(ExitCode.USAGE, f"the folder {out} can't be written: {reason}") from error
    return out


def _arguments(question: Question, journal: Path) -> list[str]:
    arguments = [
        f"--dra-target={question.target.kind}",
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
    return arguments


def _repeated(name: str, values: tuple[str, ...]) -> list[str]:
    return [f"--dra-{name}={value}" for value in values]


def _say(report: Report) -> None:
    """Print what needs an eye, and the verdict."""
    for one in report.requirements:
        if one.outcome in {Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE}:
            console.data(f"{one.outcome} {one.clause.id}: {' '.join(one.reason.split())[:400]}")
    for warning in report.warnings:
        console.words(warning)
    console.data(f"{report.verdict}: {report.summary}")
