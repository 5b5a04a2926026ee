"""A driver that finds its machine started anew, on a monotonic clock of another boot."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import certify, command
from conformance.tests.harness.process.clocks import shifting

pytestmark = [pytest.mark.acceptance, shifting]


@pytest.mark.parametrize(
    ("wrong", "code", "outcome"), [("none", 0, "passed"), ("fears-the-future", 1, "failed")]
)
def test_a_claim_has_to_survive_the_clock(
    tmp_path: Path, wrong: str, code: int, outcome: str
) -> None:
    only = ("--only", "DRA-DST-1[45]", "--only", "DRA-DST-28")
    done = certify(tmp_path, command(wrong), "--profile", "driver/state", *only)

    assert done.code == code, done.said
    assert done.ids(outcome) >= {"DRA-DST-28"}
    assert done.ids("passed") >= {"DRA-DST-14", "DRA-DST-15"}
