"""The one table of formats: what each is called, where it goes, and who writes it."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from conformance.report.html.page import to_html
from conformance.report.junit import to_junit
from conformance.report.markdown import to_markdown
from conformance.report.model import Report
from conformance.report.serialize import to_json


@frozen(kw_only=True)
class Format:
    """One way to show a report."""

    filename: str
    render: Callable[[Report], str]


FORMATS = {
    "html": Format(filename="report.html", render=to_html),
    "json": Format(filename="report.json", render=to_json),
    "junit": Format(filename="junit.xml", render=to_junit),
    "markdown": Format(filename="report.md", render=to_markdown),
}


def render(report: Report, name: str) -> str:
    """Return the report in the format of this name; raises KeyError for an unknown one."""
    return FORMATS[name].render(report)
