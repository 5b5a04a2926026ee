"""The table of formats: what each is called, where it goes, and who writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conformance.report.html.findings import to_html
from conformance.report.lint.document import Findings
from conformance.report.lint.junit import to_junit
from conformance.report.lint.lines import to_text
from conformance.report.lint.sarif import to_sarif
from conformance.report.lint.serialize import to_json

#: What ``--format`` takes.
FORMATS: Mapping[str, Callable[[Findings], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "junit": to_junit,
}

#: What lies in ``--out``.
FILES: Mapping[str, Callable[[Findings], str]] = {
    "report.html": to_html,
    "report.json": to_json,
    "report.sarif": to_sarif,
    "junit.xml": to_junit,
}
