"""A program that waits until an instant of the machine's clock is waited for on that clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import certify, command

pytestmark = pytest.mark.acceptance


@pytest.mark.parametrize("options", [(), ("--patient",)], ids=["as usual", "patient"])
def test_no_clock_is_moved_that_a_program_could_miss(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    only = ("--profile", "driver/all", "--only", "DRA-PUB-04", "--only", "DRA-DST-29")
    done = certify(tmp_path, command("takes-its-time"), *only, *options)

    assert done.code == 0, done.said
    assert done.ids("passed") == {"DRA-PUB-04"}
    assert done.ids("unsupported") == {"DRA-DST-29"}
    assert "monotonic clock went ahead" not in done.exhibits()
