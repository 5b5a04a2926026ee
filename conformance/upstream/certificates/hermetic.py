"""Certifying dra-example-driver against the control plane that ``certify`` brings along."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conformance.upstream import build

#: Kinds of hardware that the driver plays; its name and its class follow from each.
PROFILES = ("gpu", "cpu", "net")

#: Where the certificates lie in a checkout.
HOME = Path("reports/1.37/dra-example-driver")

PROGRAM = "dra-example-kubeletplugin"

_FLAGS = (
    "--kubeconfig {kubeconfig} --node-name {node_name} --cdi-root {cdi_dir} "
    "--kubelet-plugins-directory-path {plugins_dir} "
    "--kubelet-registrar-directory-path {registrar_dir}"
)


def words(profile: str, *more: str) -> list[str]:
    """Return the command that certifies a profile of the driver, as a person types it."""
    name = f"{profile}.example.com"
    return [
        *("dra-conformance", "certify", "--driver-name", name, "--device-class", name),
        *("--profile", "driver/all", "--seed", "1"),
        *("--waivers", str(HOME / profile / "waivers.yaml"), *more),
    ]


def started(profile: str) -> tuple[str, str]:
    """Return the option by which ``certify`` starts the driver itself."""
    return "--driver-command", f"{PROGRAM} --device-profile {profile} {_FLAGS}"


def run(command: list[str], program: str = PROGRAM) -> int:
    """Run such a command in this checkout, with the driver in the path; return its exit code."""
    folder = build.binary(program).parent
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    # Our own command line, in a process of its own as any user would run it.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "conformance", *command[1:]], env=environment, check=False
    )
    return done.returncode
