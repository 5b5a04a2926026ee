"""The agreement as documents: JSON for programs, Markdown for CI, a page for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from conformance.evidence.verdict import Outcome
from conformance.upstream.lane.agreement import Agreement, Row

#: Version of the shape of ``agreement.json``.
FORMAT_VERSION = 1

_WORDS: Final = {True: "agree", False: "differ", None: "not comparable"}

_STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem;
  color: #1b1f24; background: #fff; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .5rem 0; color: #57606a; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem;
  border-bottom: 1px solid #d0d7de; overflow-wrap: anywhere; }
th { border-bottom: 2px solid #57606a; }
th:not(:last-child), td:not(:last-child) { white-space: nowrap; }
td:first-child { font-weight: 600; }
.why { color: #57606a; font-size: .875rem; }
.differ { background: #ffebe9; } .differ .verdict { color: #a40e26; font-weight: 600; }
.agree .verdict { color: #116329; }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; padding: .6rem 0;
  border-bottom: 1px solid #57606a; } td { display: block; border: 0; padding: .1rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: #57606a; } }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; }
  .why, caption { color: #9198a1; } th, td { border-color: #3d444d; }
  .differ { background: #3c1618; } .differ .verdict { color: #ff9492; }
  .agree .verdict { color: #4ac26b; } }
"""


def to_json(agreement: Agreement) -> str:
    """Return the numbers and rows as JSON that ends with a newline."""
    fields = {
        "format_version": FORMAT_VERSION,
        "kubernetes_version": agreement.version,
        "agreeing": agreement.agreeing,
        "comparable": agreement.comparable,
        "rows": [
            {
                "id": row.id,
                "bundled": str(row.bundled),
                "upstream": str(row.upstream),
                "agrees": row.agrees,
                "shared": row.shared,
                "statement": row.statement,
                "reason": row.reason,
            }
            for row in agreement.rows
        ],
    }
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Agreement:
    """Return the agreement that :func:`to_json` wrote; raises ``ValueError`` for other text."""
    fields: Any = json.loads(text)
    if not isinstance(fields, dict) or fields.get("format_version") != FORMAT_VERSION:
        raise ValueError(f"no agreement of format version {FORMAT_VERSION}")
    rows = tuple(_row(row) for row in fields["rows"])
    return Agreement(version=fields["kubernetes_version"], rows=rows)


def to_markdown(agreement: Agreement) -> str:
    """Return the table as Markdown: what differs first."""
    lines = ["# Agreement of the bundled reference with a real cluster", "", agreement.sentence]
    lines += ["", "| requirement | bundled | upstream | | checks | why |"]
    lines.append("| --- | --- | --- | --- | ---: | --- |")
    for row in _sorted(agreement):
        why = row.reason.replace("|", "\\|").replace("<", "&lt;")
        cells = [row.id, str(row.bundled), str(row.upstream), _WORDS[row.agrees], str(row.shared)]
        lines.append(f"| {' | '.join(cells)} | {why} |")
    return "\n".join(lines) + "\n"


def to_html(agreement: Agreement) -> str:
    """Return the table as a page of its own that needs nothing else."""
    title = f"Agreement with Kubernetes {escape(agreement.version)}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>",
            f"{_STYLE}</style></head><body><main>",
            f"<h1>{title}</h1>",
            f"<p>{escape(agreement.sentence)}</p>",
            "<table><caption>Every requirement that a check judges; a check counts where both",
            "targets decided it.</caption><thead><tr><th>Requirement</th><th>Bundled</th>",
            "<th>Upstream</th><th>Verdicts</th><th>Statement</th></tr></thead><tbody>",
            *_html_rows(agreement),
            "</tbody></table></main></body></html>",
            "",
        ]
    )


def _row(fields: dict[str, Any]) -> Row:
    bundled, upstream = Outcome(fields["bundled"]), Outcome(fields["upstream"])
    others = {name: fields[name] for name in ("id", "statement", "agrees", "shared", "reason")}
    return Row(bundled=bundled, upstream=upstream, **others)


def _html_rows(agreement: Agreement) -> Iterator[str]:
    for row in _sorted(agreement):
        why = f'<div class="why">{escape(row.reason)}</div>' if row.reason else ""
        word = _WORDS[row.agrees]
        yield (
            f'<tr id="{escape(row.id)}" class="{word.replace(" ", "-")}"><td>{escape(row.id)}</td>'
            f'<td data-label="bundled">{escape(row.bundled)}</td>'
            f'<td data-label="upstream">{escape(row.upstream)}</td>'
            f'<td class="verdict">{word}</td><td>{escape(row.statement)}{why}</td></tr>'
        )


def _sorted(agreement: Agreement) -> list[Row]:
    order = (False, None, True)
    return sorted(agreement.rows, key=lambda row: (order.index(row.agrees), row.id))
