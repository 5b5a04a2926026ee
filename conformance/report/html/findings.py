"""Fill the template of the page with what policies said."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from conformance.policy.model import Finding, Level
from conformance.report.html.page import environment, inline
from conformance.report.lint.document import Findings, Rule

#: The colours and signs of each level are those of an outcome.
_OUTCOMES = {Level.MUST: "failed", Level.SHOULD: "inconclusive", Level.ADVICE: "notrun"}
_MEANINGS = {
    Level.MUST: "An obligation is broken: it does not work, or is not safe.",
    Level.SHOULD: "A good practice is not followed, which has a price.",
    Level.ADVICE: "Worth knowing; it never fails.",
}


@frozen(kw_only=True)
class Group:
    """What one policy found."""

    policy: str
    level: Level
    rule: Rule | None
    findings: tuple[Finding, ...]


def to_html(document: Findings) -> str:
    """Return the page."""
    template = environment().get_template("findings.html.j2")
    return template.render(
        document=document,
        groups=groups(document),
        levels=list(Level),
        outcomes=_OUTCOMES,
        level_meanings=_MEANINGS,
        counts={level: sum(one.level is level for one in document.findings) for level in Level},
        style=inline("style.css"),
    )


def groups(document: Findings) -> list[Group]:
    """Return the findings by policy, the heaviest first."""
    rules = {rule.id: rule for rule in document.rules}
    ordered = sorted(document.findings, key=lambda one: (one.level.rank, one.id, one.policy))
    return [
        Group(policy=policy, level=level, rule=rules.get(policy), findings=tuple(members))
        for (level, policy), members in groupby(ordered, key=lambda one: (one.level, one.policy))
    ]
