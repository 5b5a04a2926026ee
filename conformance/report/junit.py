"""``junit.xml``: one test case per check, for CI systems.

JUnit knows three ways not to pass, and only ``failure`` accuses: what we could not tell is
an error, what did not run or is waived is skipped with its reason.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from conformance.evidence.verdict import Outcome
from conformance.report.model import Check, Report
from conformance.report.words import printable

#: The element that each outcome becomes; a pass has none.
_ELEMENTS = {
    Outcome.FAILED: "failure",
    Outcome.ERRORED: "error",
    Outcome.INCONCLUSIVE: "error",
    Outcome.UNSUPPORTED: "skipped",
    Outcome.SKIPPED: "skipped",
    Outcome.NOTRUN: "skipped",
    Outcome.WAIVED: "skipped",
}

#: Characters that XML 1.0 cannot hold, not even escaped.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report) -> str:
    """Return the checks of a report as a JUnit document that ends with a newline."""
    elements = [_ELEMENTS.get(check.outcome, "") for check in report.checks]
    numbers = {
        "tests": str(len(report.checks)),
        "failures": str(elements.count("failure")),
        "errors": str(elements.count("error")),
        "skipped": str(elements.count("skipped")),
        "time": f"{report.run.check_seconds:.3f}",
    }
    root = ET.Element("testsuites", {"name": "dra-conformance", **numbers})
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": legal(report.run.target.name),
            **numbers,
            "timestamp": legal(report.run.started),
            "id": legal(report.run.id),
        },
    )
    properties = ET.SubElement(suite, "properties")
    _add_property(properties, "verdict", str(report.verdict))
    _add_property(properties, "command", report.run.command)
    for warning in report.warnings:
        _add_property(properties, "warning", warning)
    for check in report.checks:
        _add_case(suite, check)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_case(suite: ET.Element, check: Check) -> None:
    module, _, name = check.name.partition("::")
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": legal(module.removesuffix(".py").replace("/", ".")),
            "name": legal(name or module),
            "time": f"{check.seconds:.3f}",
        },
    )
    properties = ET.SubElement(case, "properties")
    for requirement in check.requirements:
        _add_property(properties, "requirement", requirement)
    _add_property(properties, "outcome", str(check.outcome))
    if check.outcome in _ELEMENTS:
        first_line = check.message.strip().split("\n", 1)[0]
        verdict = ET.SubElement(
            case,
            _ELEMENTS[check.outcome],
            {"type": str(check.outcome), "message": legal(first_line)},
        )
        verdict.text = legal(check.message)


def _add_property(parent: ET.Element, name: str, value: str) -> None:
    ET.SubElement(parent, "property", {"name": name, "value": legal(value)})


def legal(text: str) -> str:
    """Return text of unknown origin without what XML cannot hold."""
    return _ILLEGAL.sub("\ufffd", printable(text))
