"""``certify --config``: what a vendor writes down once is enough, and hooks keep to their part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import NAME, Outcome, command, finished

pytestmark = pytest.mark.acceptance

_HOOKS = ("DRA-DLC-20", "DRA-DLC-21")


def certified(folder: Path, hooks: str, *more: str) -> Outcome:
    """Certify the small driver by a file with these hooks."""
    file = folder / "dra-conformance.yaml"
    file.write_text(
        f"driver: {{name: {NAME}, deviceClass: small, command: {command()}, startWithin: 4s}}\n"
        f"profiles: [driver/lifecycle]\nhooks: {{{hooks}}}\n",
        "utf-8",
    )
    words = [sys.executable, "-m", "conformance", "certify", "--config", str(file)]
    only = [word for one in _HOOKS for word in ("--only", one)]
    return finished(
        subprocess.run, [*words, *only, "--out", str(folder / "out"), *more], folder / "out"
    )


def test_checks_without_their_hook_are_unsupported(tmp_path: Path) -> None:
    done = certified(tmp_path, "")

    assert done.ids("unsupported") == set(_HOOKS), done.said
    assert "the check needs the hook prove-access" in done.exhibits()


@pytest.mark.parametrize(
    ("prints", "outcome"),
    [
        ('{\\"usable\\": true}', "passed"),
        ('{\\"usable\\": false, \\"why\\": \\"it is locked\\"}', "failed"),
        ("perhaps", "inconclusive"),
    ],
)
def test_a_hook_tells_whether_a_device_can_be_used(
    tmp_path: Path, prints: str, outcome: str
) -> None:
    script = tmp_path / "prove"
    script.write_text(f'#!/bin/sh\n[ "$DEVICES" = some ] && echo "{prints}"\n', "utf-8")
    script.chmod(0o755)

    done = certified(tmp_path, f"prove-access: {{command: {script}}}")

    assert done.ids(outcome) == {"DRA-DLC-20"}, done.said


def test_a_mistake_in_the_file_is_refused(tmp_path: Path) -> None:
    done = certified(tmp_path, "prove-acces: {command: sh}")

    assert done.code == 2
    assert "did you mean 'prove-access'?" in done.said
    assert done.said.count("\n") == 1
