"""``certify`` scrapes a driver where it says that it tells metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import Outcome, certify, command

pytestmark = pytest.mark.acceptance

#: What is asked of histograms, of which the small driver has none.
HISTOGRAMS = {"DRA-DMT-06", "DRA-DMT-07", "DRA-DMT-08"}
EVERYTHING = {f"DRA-DMT-{number:02}" for number in range(1, 16)}


def scraped(out: Path, wrong: str, *said: str) -> Outcome:
    """Certify the small driver with the profile of metrics."""
    return certify(out, command(wrong), "--profile", "driver/metrics", *said)


def test_a_driver_with_metrics_passes(tmp_path: Path) -> None:
    done = scraped(tmp_path / "out", "none", "--driver-feature", "metrics")

    assert done.ids("passed") == EVERYTHING - HISTOGRAMS, done.said
    assert done.ids("unsupported") == HISTOGRAMS, done.said
    assert "# TYPE small_prepared_total counter" in done.exhibits()


def test_a_driver_that_counts_each_claim_is_found_out(tmp_path: Path) -> None:
    done = scraped(tmp_path / "out", "counts-each-claim", "--driver-feature", "metrics")

    assert done.ids("failed") == {"DRA-DMT-11"}, done.said


def test_a_driver_of_which_nobody_says_so_is_not_scraped(tmp_path: Path) -> None:
    done = scraped(tmp_path / "out", "none")

    assert done.ids("unsupported") == EVERYTHING, done.said
