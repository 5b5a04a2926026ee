"""What the certificate of Kubernetes' own test driver says, and what it can't say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from conformance.evidence.journal import Journal
from conformance.evidence.verdict import Outcome

#: Where the certificate lies in a checkout.
HOME = Path("reports/1.37/test-driver")

_JUDGED = (Outcome.PASSED, Outcome.FAILED, Outcome.WAIVED)


def judged(found: Journal, ids: Iterable[str]) -> frozenset[str]:
    """Return those of ``ids`` of which the journal says yes or no."""
    said = {name for one in found.checks if one.outcome in _JUDGED for name in one.requirements}
    return frozenset(said & set(ids))


def reasons(path: Path) -> Mapping[str, str]:
    """Return why requirements are not judged, by id."""
    rows: list[Any] = yaml.safe_load(path.read_text("utf-8"))["unjudged"]
    return {name: row["reason"] for row in rows for name in row["requirements"]}
