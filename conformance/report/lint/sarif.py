"""``report.sarif``: SARIF 2.1.0, for platforms that show findings beside the code."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from conformance.evidence.verdict import Verdict
from conformance.policy.model import Excused, Finding, Level, Place
from conformance.report.lint.document import Findings, Rule
from conformance.report.words import printable

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Level.MUST: "error", Level.SHOULD: "warning", Level.ADVICE: "note"}


def to_sarif(document: Findings) -> str:
    """Return the document as a SARIF log that ends with a newline."""
    run = {
        "tool": {
            "driver": {
                "name": "dra-conformance",
                "semanticVersion": document.tool_version,
                "rules": [_rule(one) for one in document.rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": document.verdict is not Verdict.INCOMPLETE,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": {"text": printable(one.sentence)},
                        "locations": [{"physicalLocation": _location(one.place)}],
                    }
                    for one in document.troubles
                ],
            }
        ],
        "results": [
            *(_result(one, document) for one in document.findings),
            *(_excused(one, document) for one in document.excused),
        ],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": rule.message},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "properties": {"tags": list(rule.requirements)},
    }
    if rule.statement:
        described["fullDescription"] = {"text": rule.statement}
        described["help"] = {"text": f"{rule.statement} ({rule.requirements[0]}; {rule.source})"}
    return described


def _result(one: Finding, document: Findings) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.policy,
        "level": _LEVELS[one.level],
        "message": {"text": printable(f"{one.object}: {one.message} [{one.id}]")},
        "locations": [
            {
                "physicalLocation": _location(one.place),
                "logicalLocations": [{"fullyQualifiedName": printable(_named(one))}],
            }
        ],
        "properties": {"requirement": one.id, "object": printable(one.object)},
    }
    rules = [rule.id for rule in document.rules]
    if one.policy in rules:
        result["ruleIndex"] = rules.index(one.policy)
    return result


def _excused(one: Excused, document: Findings) -> dict[str, Any]:
    kind = "inSource" if one.by == "annotation" else "external"
    suppression = {"kind": kind, "justification": printable(one.reason)}
    return {**_result(one.finding, document), "suppressions": [suppression]}


def _location(place: Place) -> dict[str, Any]:
    # A Windows path has backslashes; a URI never does, and quotes what it must.
    uri = quote(PurePath(place.file).as_posix(), safe="/:@!$&'()*+,;=~-._")
    location: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if place.line:
        location["region"] = {"startLine": place.line, "startColumn": place.column}
    return location


def _named(one: Finding) -> str:
    return f"{one.object} {one.path}" if one.path else one.object
