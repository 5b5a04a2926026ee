"""``junit.xml``: one test case per policy, for CI systems."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from conformance.report.junit import legal
from conformance.report.lint.document import Findings, Rule


def to_junit(document: Findings) -> str:
    """Return the policies as a JUnit document that ends with a newline."""
    failing = {one.policy for one in document.findings if one.level.rank <= document.fail_on.rank}
    numbers = {
        "tests": str(len(document.rules) + len(document.troubles)),
        "failures": str(sum(rule.id in failing for rule in document.rules)),
        "errors": str(len(document.troubles)),
        "skipped": str(sum(not rule.applied for rule in document.rules)),
    }
    root = ET.Element("testsuites", {"name": "dra-conformance", **numbers})
    suite = ET.SubElement(root, "testsuite", {"name": legal(document.scope.name), **numbers})
    for rule in document.rules:
        _add_rule(suite, rule, document, failing)
    for one in document.troubles:
        case = ET.SubElement(suite, "testcase", {"classname": "files", "name": legal(str(one))})
        ET.SubElement(case, "error", {"type": "not judged", "message": legal(one.sentence)})
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add_rule(suite: ET.Element, rule: Rule, document: Findings, failing: set[str]) -> None:
    case = ET.SubElement(suite, "testcase", {"classname": "policies", "name": rule.id})
    found = [one for one in document.findings if one.policy == rule.id]
    told = "\n".join(legal(f"{one.place}: {one.object}: {one.message}") for one in found)
    if rule.id in failing:
        message = f"{len(found)} times: {rule.message}"
        failure = ET.SubElement(case, "failure", {"type": str(rule.level), "message": message})
        failure.text = told
    elif not rule.applied:
        ET.SubElement(case, "skipped", {"message": "nothing that it is about was there"})
    elif told:
        ET.SubElement(case, "system-out").text = told
