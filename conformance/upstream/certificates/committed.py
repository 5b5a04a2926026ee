"""What is kept of a certification, and where one on a real cluster may differ."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import yaml

from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord, Exhibit
from conformance.evidence.verdict import Outcome
from conformance.upstream.lane import running

#: Where certificates are made (see ``__main__``), which nobody needs to know.
_SCRATCH = re.compile(rf"{re.escape(tempfile.gettempdir())}/[\w-]+/")

#: Characters that are kept of the output of a program.
_WORDS = 2000

#: Outcomes that say nothing of a driver.
_SILENT = (Outcome.SKIPPED, Outcome.NOTRUN)


def brief(whole: Journal) -> str:
    """Return the text of a journal without exchanges and objects, and without our paths."""
    header = whole.header
    words = [_SCRATCH.sub("", word) for word in header.command[1:]]
    facts = {name: _SCRATCH.sub("", value) for name, value in header.target.facts.items()}
    target = attrs.evolve(header.target, facts=facts)
    header = attrs.evolve(header, command=("dra-conformance", *words), target=target)
    checks = tuple(map(_brief, whole.checks))
    return running.text(attrs.evolve(whole, header=header, checks=checks))


def differing(hermetic: Journal, live: Journal) -> Mapping[str, tuple[str, str]]:
    """Return the outcomes of both ways, by check, where they are not the same."""
    ours, theirs = _outcomes(hermetic), _outcomes(live)
    return {
        name: (ours.get(name, ""), theirs.get(name, ""))
        for name in sorted(ours | theirs)
        if ours.get(name) != theirs.get(name)
    }


def reasons(path: Path) -> Mapping[str, str]:
    """Return why checks may differ, by the name of the check."""
    rows: list[Any] = yaml.safe_load(path.read_text("utf-8"))["differences"]
    return {check: row["reason"] for row in rows for check in row["checks"]}


def _outcomes(found: Journal) -> dict[str, str]:
    return dict(_named(found))


def _named(found: Journal) -> Iterator[tuple[str, str]]:
    for record in found.checks:
        if record.outcome not in _SILENT:
            yield record.check.rpartition("/")[2], str(record.outcome)


def _brief(record: CheckRecord) -> CheckRecord:
    kinds = {"note"} if record.outcome is Outcome.PASSED else {"log", "note"}
    kept = [one for one in record.exhibits if one.kind in kinds]
    return attrs.evolve(record, exhibits=tuple(map(_short, kept)))


def _short(exhibit: Exhibit) -> Exhibit:
    return attrs.evolve(exhibit, body=exhibit.body[-_WORDS:])
