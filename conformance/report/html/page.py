"""Fill the template of the page with a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import jinja2
from attrs import frozen
from markupsafe import Markup

from conformance.evidence.record import Exhibit
from conformance.evidence.verdict import MEANING, PRECEDENCE, Outcome
from conformance.report import words
from conformance.report.html import show
from conformance.report.html.indent import indented
from conformance.report.model import Check, Report, Requirement

_TEMPLATES = Path(__file__).parent / "templates"

#: Evidence of a check that passed is kept short, so that the page of a large suite opens at
#: once; report.json has all of it. What did not pass is shown whole.
_PASSED_EXHIBITS = 4
_PASSED_BODY = 800

#: Sections of requirements, in the order of the page: title, anchor, outcomes.
_SECTIONS = (
    ("Failed", "failed", {Outcome.FAILED}),
    ("Undecided", "undecided", {Outcome.ERRORED, Outcome.INCONCLUSIVE}),
    ("Waived", "waived", {Outcome.WAIVED}),
    ("Passed", "passed", {Outcome.PASSED}),
)


@frozen(kw_only=True)
class Section:
    """A heading, and the requirements below it."""

    title: str
    anchor: str
    requirements: tuple[Requirement, ...]


@frozen(kw_only=True)
class Evidence:
    """What is shown of the exhibits of one check."""

    exhibits: tuple[Exhibit, ...]
    left_out: int


@frozen(kw_only=True)
class Matrix:
    """Each fault with the requirements that it breaks, and judged ones that no fault breaks."""

    faults: tuple[tuple[str, tuple[str, ...]], ...]
    unproven: tuple[str, ...]


def to_html(report: Report) -> str:
    """Return the page."""
    template = environment().get_template("report.html.j2")
    tested = [item for item in report.requirements if not item.untested]
    untested = [item for item in report.requirements if item.untested]
    return template.render(
        report=report,
        run=report.run,
        style=inline("style.css"),
        script=inline("script.js"),
        sections=[section for section in _sections(tested) if section.requirements],
        untested=list(_grouped(untested)),
        untested_total=len(untested),
        checks=_by_name(report.checks),
        homes=_homes(report.requirements),
        matrix=_matrix(tested),
        outcomes=[outcome for outcome in words.SHOWN if report.counts[outcome]],
        roles=sorted({item.clause.role for item in report.requirements}),
        features=sorted({item.clause.feature for item in report.requirements} - {""}),
    )


def environment() -> jinja2.Environment:
    """Return where templates find each other, and the filters that all of them share."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # jinja2 types both tables by what it puts there itself.
    filters = cast("dict[str, Any]", environment.filters)
    filters.update(duration=show.duration, moment=show.moment, word=show.word, count=words.count)
    names = cast("dict[str, Any]", environment.globals)
    names.update(
        symbols=show.SYMBOLS,
        meanings={str(outcome): meaning for outcome, meaning in MEANING.items()},
        state=show.state,
        evidence=_evidence,
        order=[str(outcome) for outcome in words.SHOWN],
    )
    return environment


def _printable(value: Any) -> Any:
    """Clean every piece of text that enters the page; markup of our own passes."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return words.printable(value)
    return value


def inline(name: str) -> Markup:
    """Return a file of our own to stand in the page as it is."""
    # Our own files: nothing of a journal is ever marked as safe.
    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - as said above


def _sections(requirements: Sequence[Requirement]) -> Iterable[Section]:
    for title, anchor, outcomes in _SECTIONS:
        chosen = tuple(item for item in requirements if item.outcome in outcomes)
        yield Section(title=title, anchor=anchor, requirements=chosen)


def _grouped(requirements: Iterable[Requirement]) -> Iterable[Section]:
    """Yield what was not tested by the kind of its reason, the weightiest first."""
    ordered = sorted(requirements, key=lambda item: (_kind(item), item.clause.id))
    for kind, members in groupby(ordered, key=_kind):
        yield Section(title=kind[1], anchor=f"untested-{kind[0]}", requirements=tuple(members))


def _kind(item: Requirement) -> tuple[int, str]:
    clause = item.clause
    if item.outcome is Outcome.UNSUPPORTED:
        return 1, "The target lacks the feature or the capability"
    if item.outcome is Outcome.SKIPPED:
        return 2, "Somebody chose not to run it"
    if not clause.gap and clause.level == "INFO":
        return 9, "Facts that the documents state, with nothing to assert"
    if not clause.gap and words.by_test(clause):
        return 0, "No check of it ran"
    kinds, kind = list(words.GAPS), clause.gap_kind if clause.gap else "policy"
    if kind in kinds:
        return 3 + kinds.index(kind), words.GAPS[kind]
    return 3 + len(kinds), "No check exists"


def _matrix(tested: Sequence[Requirement]) -> Matrix:
    broken: dict[str, list[str]] = {}
    for item in tested:
        for fault in item.clause.saboteurs:
            broken.setdefault(fault, []).append(item.clause.id)
    return Matrix(
        faults=tuple((name, tuple(ids)) for name, ids in sorted(broken.items())),
        unproven=tuple(item.clause.id for item in tested if not item.clause.saboteurs),
    )


def _by_name(checks: Iterable[Check]) -> dict[str, Check]:
    """Return the checks by name; of one that ran twice, the worse."""
    ordered = sorted(checks, key=lambda check: -PRECEDENCE.index(check.outcome))
    return {check.name: check for check in ordered}


def _homes(requirements: Iterable[Requirement]) -> dict[str, str]:
    """Return for each check the one requirement below which its evidence is shown."""
    homes: dict[str, str] = {}
    for item in requirements:
        for name in item.checks:
            homes.setdefault(name, item.clause.id)
    return homes


def _evidence(check: Check) -> Evidence:
    if check.outcome is not Outcome.PASSED:
        return Evidence(exhibits=tuple(map(_for_people, check.exhibits)), left_out=0)
    kept = tuple(_shortened(exhibit) for exhibit in check.exhibits[:_PASSED_EXHIBITS])
    return Evidence(exhibits=kept, left_out=len(check.exhibits) - len(kept))


def _shortened(exhibit: Exhibit) -> Exhibit:
    if len(exhibit.body) <= _PASSED_BODY:
        return _for_people(exhibit)
    body = f"{indented(exhibit.body[:_PASSED_BODY])}\n… (whole in report.json)"
    return Exhibit(kind=exhibit.kind, title=exhibit.title, body=body)


def _for_people(exhibit: Exhibit) -> Exhibit:
    return Exhibit(kind=exhibit.kind, title=exhibit.title, body=indented(exhibit.body))
