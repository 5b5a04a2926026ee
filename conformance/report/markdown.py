"""Markdown for the summary page of a CI system: verdict first, then what to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conformance.evidence.verdict import MEANING, Outcome
from conformance.report.model import Report, Requirement, Tally
from conformance.report.words import SHOWN, printable

#: Outcomes that somebody should look at, in the order in which they are listed.
_ATTENTION = (Outcome.FAILED, Outcome.ERRORED, Outcome.INCONCLUSIVE, Outcome.WAIVED)

#: Longest reason in a table, in characters: the whole one stands in the HTML report.
_REASON = 300

#: What Markdown or the HTML in it would take for markup.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|&~#])")


def to_markdown(report: Report) -> str:
    """Return the report as Markdown that ends with a newline."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    run = report.run
    yield f"# DRA conformance: {_plain(run.target.name)} is {report.verdict}"
    yield f"\n{report.summary}"
    for warning in report.warnings:
        yield f"\n> **Note.** {_plain(warning)}"
    version = run.target.kubernetes_version
    facts = [f"Kubernetes {version}" if version else "", f"dra-conformance {run.tool_version}"]
    facts += [f"seed {run.seed}" if run.seed is not None else "", f"started {run.started}"]
    yield f"\n{_plain(' · '.join(fact for fact in facts if fact))}\n"
    yield "| outcome | requirements | checks | meaning |"
    yield "| --- | ---: | ---: | --- |"
    for outcome in SHOWN:
        numbers = f"{report.counts[outcome]} | {report.check_counts[outcome]}"
        yield f"| {outcome} | {numbers} | {MEANING[outcome]} |"
    for outcome in _ATTENTION:
        yield from _attention(report, outcome)
    yield from _table("Profiles", report.profiles)
    yield from _table("Features", report.features)
    yield from _untested(report)


def _attention(report: Report, outcome: Outcome) -> Iterator[str]:
    chosen = [item for item in report.requirements if item.outcome is outcome]
    if not chosen:
        return
    yield f"\n## {outcome.capitalize()}\n"
    yield "| requirement | level | role | statement | why |"
    yield "| --- | --- | --- | --- | --- |"
    for item in chosen:
        clause = item.clause
        cells = [clause.id, clause.level, clause.role, clause.statement, _cut(item.reason)]
        yield f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _table(title: str, tallies: Iterable[Tally]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| name | passed | failed | undecided | waived | not tested | all |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for tally in tallies:
        counts = tally.counts
        undecided = counts["errored"] + counts["inconclusive"]
        untested = counts["notrun"] + counts["skipped"] + counts["unsupported"]
        numbers = [counts["passed"], counts["failed"], undecided, counts["waived"], untested]
        cells = [_plain(tally.name), *(str(number) for number in [*numbers, tally.total])]
        yield f"| {' | '.join(cells)} |"


def _untested(report: Report) -> Iterator[str]:
    chosen = [item for item in report.requirements if item.untested]
    if not chosen:
        return
    yield f"\n<details><summary>Not tested: {len(chosen)} requirements</summary>\n"
    yield "| requirement | outcome | why |"
    yield "| --- | --- | --- |"
    yield from (_untested_row(item) for item in chosen)
    yield "\n</details>"


def _untested_row(item: Requirement) -> str:
    return f"| {_plain(item.clause.id)} | {item.outcome} | {_plain(_cut(item.reason))} |"


def _cut(text: str) -> str:
    return text if len(text) <= _REASON else f"{text[:_REASON]}…"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(printable(text).split()))
