"""``certify`` probes a driver where it says that it can be probed."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import Outcome, certify, command

pytestmark = pytest.mark.acceptance

ASKED = ("DRA-ADM-07a", "DRA-DLC-22", "DRA-DLC-27", "DRA-DLC-28", "DRA-DLC-29")


def probed(out: Path, wrong: str, *features: str) -> Outcome:
    """Certify the small driver, of which it is said that it has these features."""
    only = [word for one in ASKED for word in ("--only", one)]
    said = [word for one in features for word in ("--driver-feature", one)]
    return certify(out, command(wrong), "--profile", "driver/lifecycle", *only, *said)


def test_a_driver_that_is_ready_in_time_passes(tmp_path: Path) -> None:
    done = probed(tmp_path / "out", "none", "liveness", "readiness")

    assert done.ids("passed") == set(ASKED), done.said


def test_a_driver_that_is_ready_before_its_slices_is_found_out(tmp_path: Path) -> None:
    done = probed(tmp_path / "out", "ready-at-once", "liveness", "readiness")

    assert done.ids("failed") == {"DRA-DLC-28"}, done.said


def test_a_driver_of_which_nobody_says_so_is_not_probed(tmp_path: Path) -> None:
    done = probed(tmp_path / "out", "none")

    assert done.ids("unsupported") == set(ASKED), done.said
