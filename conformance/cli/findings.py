"""What ``lint`` and ``doctor`` have in common: options, policies, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import attrs
import click

from conformance import __version__
from conformance.catalogue import loading as catalogue
from conformance.catalogue import waivers as waiving
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.model import Catalogue, Waiver
from conformance.cli import console, documents
from conformance.cli.exits import ExitCode, Refusal
from conformance.evidence.verdict import Verdict
from conformance.policy import evaluate, excuses, loading
from conformance.policy.model import Level, Policy, Trouble
from conformance.policy.world import World
from conformance.report.lint.document import Findings, Scope, build
from conformance.report.lint.formats import FILES, FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_EXITS = {
    Verdict.CONFORMANT: ExitCode.CONFORMANT,
    Verdict.NOT_CONFORMANT: ExitCode.NOT_CONFORMANT,
    Verdict.INCOMPLETE: ExitCode.INCOMPLETE,
}
_LEVELS = [Level.MUST.value, Level.SHOULD.value]

_COMMON = (
    click.option("--format", "shape", type=click.Choice(list(FORMATS)), default="text",
                 show_default=True, help="What goes to standard output."),
    click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
                 help=f"Folder to write {', '.join(FILES)} into."),
    click.option("--fail-on", type=click.Choice(_LEVELS), default=Level.SHOULD.value,
                 show_default=True, help="The lightest level that ends with 1."),
    click.option("--policy", "folders", type=click.Path(path_type=Path), multiple=True,
                 metavar="DIR", help="Folder of policies of your own; may be repeated."),
    click.option("--waivers", type=click.Path(path_type=Path), metavar="FILE",
                 help="Known findings, each with a reason and a date."),
)  # fmt: skip


def common(command: Command) -> Command:
    """Add the common options to a command."""
    for option in reversed(_COMMON):
        command = option(command)
    return command


@attrs.frozen(kw_only=True)
class Judge:
    """The law, the policies and the waivers of one command."""

    law: Catalogue
    policies: tuple[Policy, ...]
    waivers: dict[str, Waiver]
    fail_on: Level
    shape: str
    out: Path | None

    def conclude(self, world: World, troubles: Iterable[Trouble], scope: Scope) -> ExitCode:
        """Judge, print, write the documents, say the summary and return the exit code."""
        judged = evaluate.judge(self.policies, world)
        judged = attrs.evolve(judged, troubles=(*troubles, *judged.troubles))
        judged = excuses.by_annotation(judged, world, self.policies)
        judged = excuses.by_waiver(judged, self.waivers, datetime.now(UTC).date())
        document = build(judged, self.policies, self.law, scope, (self.fail_on, __version__))
        printed = FORMATS[self.shape](document)
        if printed:
            console.data(printed.removesuffix("\n"))
        for trouble in document.troubles:
            console.words(str(trouble))
        for sentence in (*scope.warnings, *scope.notes):
            console.words(sentence)
        self._write(document)
        console.words(f"{document.verdict}: {document.summary}")
        return _EXITS[document.verdict]

    def _write(self, document: Findings) -> None:
        if self.out is None:
            return
        texts = {name: render(document) for name, render in FILES.items()}
        try:
            written = documents.write_texts(texts, self.out)
        except documents.DocumentError as error:
            raise Refusal(ExitCode.INCOMPLETE, str(error)) from error
        console.words(f"report: {written[0]}")


def judge(options: dict[str, Any]) -> Judge:
    """Return the judge that the common options describe; raises ``Refusal``."""
    waivers: Path | None = options["waivers"]
    try:
        law = catalogue.load()
        policies = loading.load(law, options["folders"])
        held = dict(waiving.load(waivers, law)) if waivers else {}
    except CatalogueError as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    today = datetime.now(UTC).date()
    for one in held.values():
        if not one.holds(today):
            console.words(f"the waiver of {one.id} ended on {one.until} and no longer holds")
    return Judge(
        law=law,
        policies=policies,
        waivers=held,
        fail_on=Level(options["fail_on"]),
        shape=options["shape"],
        out=options["out"],
    )
