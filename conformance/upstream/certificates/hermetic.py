"""Certifying a driver that nobody here wrote, by the folder in which its certificate lies.

``dra-conformance.yaml`` there says how the driver is started, ``waivers.yaml`` what it is known
to do otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conformance.upstream import build

#: Where the certificates of dra-example-driver lie in a checkout.
HOME = Path("reports/1.37/dra-example-driver")
VARIANTS = ("gpu", "cpu", "net", "gpu-partitions", "gpu-shared", "gpu-binding")

CONFIGURATION = "dra-conformance.yaml"

#: The programs that are certified, and what runs beside them.
PROGRAMS = ("dra-example-kubeletplugin", "dra-test-driver")


def words(folder: Path, *more: str) -> list[str]:
    """Return the command that certifies the driver of a folder, as a person types it."""
    return [
        *("dra-conformance", "certify", "--config", str(folder / CONFIGURATION)),
        *("--seed", "1", "--waivers", str(folder / "waivers.yaml"), *more),
    ]


def environment() -> dict[str, str]:
    """Return our environment with the drivers in the path."""
    folders = [str(build.binary(program).parent) for program in PROGRAMS]
    return {**os.environ, "PATH": os.pathsep.join([*folders, os.environ["PATH"]])}


def run(command: list[str]) -> int:
    """Run such a command in this checkout, with the drivers in the path; return its exit code."""
    # Our own command line, in a process of its own as any user would run it.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "conformance", *command[1:]], env=environment(), check=False
    )
    return done.returncode
