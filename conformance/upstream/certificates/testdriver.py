"""Certifying Kubernetes' own test driver against the control plane that ``certify`` brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from conformance.evidence.journal import Journal
from conformance.evidence.verdict import Outcome

#: Where the certificate lies in a checkout, and how the driver is started.
HOME = Path("reports/1.37/test-driver")
CONFIGURATION = HOME / "dra-conformance.yaml"

PROGRAM = "dra-test-driver"

#: So many copies at one time, which share nothing: each sees a /run of its own.
INSTANCES = 6

_JUDGED = (Outcome.PASSED, Outcome.FAILED, Outcome.WAIVED)


def words(*more: str) -> list[str]:
    """Return the command that certifies the driver, as a person types it."""
    return [
        *("dra-conformance", "certify", "--config", str(CONFIGURATION), "--seed", "1"),
        *("--instances", str(INSTANCES), "--waivers", str(HOME / "waivers.yaml"), *more),
    ]


def judged(found: Journal, ids: Iterable[str]) -> frozenset[str]:
    """Return those of ``ids`` of which the journal says yes or no."""
    said = {name for one in found.checks if one.outcome in _JUDGED for name in one.requirements}
    return frozenset(said & set(ids))


def reasons(path: Path) -> Mapping[str, str]:
    """Return why requirements are not judged, by id."""
    rows: list[Any] = yaml.safe_load(path.read_text("utf-8"))["unjudged"]
    return {name: row["reason"] for row in rows for name in row["requirements"]}
