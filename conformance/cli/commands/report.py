"""``report``: turn a journal into documents, again and anywhere."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.cli import console, documents
from conformance.cli.exits import ExitCode, Refusal
from conformance.plugin import journal_file
from conformance.report import formats
from conformance.report.build import build


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "names",
    type=click.Choice(list(formats.FORMATS)),
    multiple=True,
    help="A format; repeat for several. All of them without.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into; the journal's own without.",
)
def report_command(journal: Path, names: tuple[str, ...], out: Path | None) -> None:
    """Write the report of a run from its JOURNAL.

    A single --format without --out goes to standard output.

    \b
    Example:
      dra-conformance report report/journal.jsonl
      dra-conformance report report/journal.jsonl --format markdown >> "$GITHUB_STEP_SUMMARY"
    """
    if journal.is_dir():
        journal = journal / "journal.jsonl"
    try:
        report = build(journal_file.load(journal))
    except journal_file.JournalFileError as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    for warning in report.warnings:
        console.words(warning)
    if len(names) == 1 and out is None:
        console.data(formats.render(report, names[0]).removesuffix("\n"))
        return
    try:
        written = documents.write(report, out or journal.parent, names or formats.FORMATS)
    except documents.DocumentError as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    for path in written:
        console.data(str(path))
