"""A judgement as a document: what every format shows, already sorted, counted and worded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from conformance.catalogue.model import Catalogue
from conformance.evidence.verdict import Verdict
from conformance.policy.excuses import EXCUSE
from conformance.policy.model import Excused, Finding, Judgement, Level, Policy, Trouble
from conformance.report.words import count

#: Version of the document, as its JSON carries it.
API_VERSION = "findings.dra-conformance/v1"


@frozen(kw_only=True)
class Rule:
    """A policy, and what came of it."""

    id: str
    level: Level
    message: str
    requirements: tuple[str, ...]
    #: Statement and source of the first requirement; empty for one of somebody else's law.
    statement: str
    source: str
    #: Number of objects or elements that it was applied to.
    applied: int
    found: int


@frozen(kw_only=True)
class Scope:
    """What was looked at."""

    #: For people: the paths, or the server.
    name: str
    files: int = 0
    #: Documents that are no Kubernetes objects.
    others: int = 0
    #: What must be known before the verdict is believed.
    warnings: tuple[str, ...] = ()
    #: What was recognised and learned, such as the systems that are installed.
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class Findings:
    """Everything that policies said, as a document."""

    verdict: Verdict
    summary: str
    tool_version: str
    fail_on: Level
    scope: Scope
    objects: int
    findings: tuple[Finding, ...]
    excused: tuple[Excused, ...]
    troubles: tuple[Trouble, ...]
    rules: tuple[Rule, ...]
    ignored: Mapping[str, int] = field(factory=dict)


def build(
    judgement: Judgement,
    policies: Iterable[Policy],
    law: Catalogue,
    scope: Scope,
    settings: tuple[Level, str],
) -> Findings:
    """Return the document; ``settings`` are the level that fails, and the tool's version."""
    fail_on, version = settings
    findings = tuple(sorted(judgement.findings, key=_by_place))
    verdict = decide(findings, judgement.troubles, fail_on)
    return Findings(
        verdict=verdict,
        summary=_summary(judgement),
        tool_version=version,
        fail_on=fail_on,
        scope=scope,
        objects=judgement.judged,
        findings=findings,
        excused=tuple(sorted(judgement.excused, key=lambda one: _by_place(one.finding))),
        troubles=tuple(sorted(judgement.troubles, key=lambda one: _place(one.place))),
        rules=tuple(_rule(one, judgement, law) for one in policies),
        ignored=judgement.ignored,
    )


def decide(findings: Iterable[Finding], troubles: Iterable[Trouble], fail_on: Level) -> Verdict:
    """Return the verdict: what is found accuses, even where something could not be judged."""
    if any(one.level.rank <= fail_on.rank for one in findings):
        return Verdict.NOT_CONFORMANT
    return Verdict.INCOMPLETE if any(True for _ in troubles) else Verdict.CONFORMANT


def _rule(policy: Policy, judgement: Judgement, law: Catalogue) -> Rule:
    cited = law.requirements.get(policy.requirements[0])
    return Rule(
        id=policy.id,
        level=policy.level,
        message=policy.message,
        requirements=policy.requirements,
        statement=cited.statement if cited else "",
        source=f"{cited.source.document}, {cited.source.section}" if cited else "",
        applied=judgement.applied[policy.id],
        found=sum(one.policy == policy.id for one in judgement.findings),
    )


def _summary(judgement: Judgement) -> str:
    findings = [one for one in judgement.findings if one.policy != EXCUSE]
    parts = [f"{sum(one.level is level for one in findings)} {level}" for level in Level]
    said = f"{', '.join(parts)} in {count(judgement.judged, 'object')}"
    wrong = len(judgement.findings) - len(findings)
    if wrong:
        said += f"; {count(wrong, 'excuse')} to mend"
    if judgement.excused:
        said += f"; {len(judgement.excused)} excused"
    if judgement.troubles:
        said += f"; {len(judgement.troubles)} not judged"
    left = sum(judgement.ignored.values())
    return f"{said}; {count(left, 'object')} of kinds without policies." if left else f"{said}."


def _by_place(one: Finding) -> tuple[object, ...]:
    return (*_place(one.place), one.level.rank, one.policy, one.object, one.path, one.message)


def _place(place: object) -> tuple[object, ...]:
    return tuple(getattr(place, name) for name in ("file", "line", "column"))
