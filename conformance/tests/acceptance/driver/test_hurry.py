"""A driver that does something by its clock is not waited for, unless somebody is patient."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import certify, command

pytestmark = pytest.mark.acceptance

_ONLY = ("--profile", "driver/publishing", "--only", "DRA-PUB-04")
WORDS = "the driver's monotonic clock went ahead by"


@pytest.mark.parametrize(
    ("options", "hurried"),
    [
        pytest.param((), platform.machine() == "x86_64", id="as usual"),
        pytest.param(("--patient",), False, id="patient"),
    ],
)
def test_evidence_tells_of_time_that_passed_for_the_driver_alone(
    tmp_path: Path, options: tuple[str, ...], hurried: bool
) -> None:
    done = certify(tmp_path, command("takes-its-time"), *_ONLY, *options)

    assert done.code == 0, done.said
    assert done.ids("passed") == {"DRA-PUB-04"}
    assert (WORDS in done.exhibits()) is hurried
