"""A process that serves two drivers: the one that is named is judged, the other disturbs nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import certify, command

pytestmark = pytest.mark.acceptance

OTHER = "other.example.com"

#: Where another driver's sockets, slices and files lie beside those of the one that is judged.
BESIDE = ("DRA-DLC-01", "DRA-DLC-06", "DRA-DLC-08", "DRA-DLC-09", "DRA-CDI-0?", "DRA-PUB-0[1-5]")


def test_the_driver_that_is_named_is_judged_as_if_alone(tmp_path: Path) -> None:
    driver = f"{command()} --also {OTHER}"

    done = certify(tmp_path, driver, "--profile", "driver/core")

    assert done.code == 0, done.said
    assert len(done.ids("passed")) == 15


def test_sockets_slices_and_files_of_the_other_are_left_alone(tmp_path: Path) -> None:
    driver = f"{command()} --also {OTHER}"
    only = [word for one in BESIDE for word in ("--only", one)]

    done = certify(tmp_path, driver, "--profile", "driver/all", *only)

    assert done.code == 0, done.said
    assert not done.ids("failed") | done.ids("inconclusive") | done.ids("errored")


@pytest.mark.parametrize("wrong", ["leaves-socket", "never-registers"])
def test_the_other_does_not_stand_in_for_it(tmp_path: Path, wrong: str) -> None:
    driver = f"{command(wrong)} --also {OTHER}"
    failing = {"leaves-socket": "DRA-DRV-09", "never-registers": "DRA-DRV-01"}[wrong]

    done = certify(tmp_path, driver, "--only", failing)

    assert done.ids("failed") == {failing}, done.said
