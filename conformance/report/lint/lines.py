"""Findings as lines for a terminal: ``file:line:column: level ID policy: object: message``."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.report.lint.document import Findings
from conformance.report.words import printable


def to_text(document: Findings) -> str:
    """Return one line for each finding, each ending with a newline."""
    return "".join(f"{printable(line)}\n" for line in _lines(document))


def _lines(document: Findings) -> Iterator[str]:
    for one in document.findings:
        named = one.id if one.policy == one.id else f"{one.id} {one.policy}"
        path = f" ({one.path})" if one.path and not one.place.line else ""
        yield f"{one.place}: {one.level} {named}: {one.object}{path}: {one.message}"
