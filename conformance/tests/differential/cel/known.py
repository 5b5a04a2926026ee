"""What our engine cannot do: rows of ``known.yaml``, each a pattern of expressions and a reason."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import yaml

from conformance.tests.differential.cel.question import Answer, Question


@functools.cache
def rows() -> list[dict[str, Any]]:
    """Return the rows: ``pattern`` (a regular expression), ``reason``, ``example``, ``only``."""
    loaded = yaml.safe_load(Path(__file__).with_name("known.yaml").read_text("utf-8"))
    return list(loaded["known"] or [])


def excuse(asked: Question, mine: Answer, upstream: Answer) -> str:
    """Return the reason why these answers may differ, or nothing."""
    checked = ("new", "stored")
    checking = any(mine[part] != upstream[part] for part in checked)
    for row in rows():
        if row.get("only") == "checking" and not checking:
            continue
        if re.search(row["pattern"], asked["expression"]):
            return str(row["reason"])
    return ""
