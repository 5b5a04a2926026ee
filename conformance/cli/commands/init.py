"""``init``: write a commented ``dra-conformance.yaml`` to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal
from conformance.harness.vendor import configuration, example
from conformance.kube import names


@click.command()
@click.option(
    "--driver-name",
    default="gpu.example.com",
    show_default=True,
    metavar="N",
    help="As in its ResourceSlices.",
)
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    default=Path(configuration.FILE),
    show_default=True,
    help="Where it is written.",
)
def init_command(driver_name: str, path: Path) -> int:  # fmt: skip
    """Write an example of dra-conformance.yaml, which tells certify about a driver.

    The file explains each of its fields. One that is there already is left alone.

    \b
    Example:
      dra-conformance init --driver-name gpu.example.com
    """
    for trouble in names.dns_subdomain(driver_name):
        raise Refusal(ExitCode.USAGE, f"--driver-name {driver_name!r}: {trouble}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(example.text(driver_name))
    except FileExistsError as error:
        raise Refusal(ExitCode.USAGE, f"{path} is there already and is left alone") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refusal(ExitCode.USAGE, f"{path} can't be written: {reason}") from error
    words = ["dra-conformance", "certify", "--config", str(path), "--out", "report"]
    console.data(f"{path}: say there how the driver is started, then: {shlex.join(words)}")
    return ExitCode.CONFORMANT
