"""``clean``: find what runs left in a live cluster, and delete it."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal
from conformance.harness import leftovers
from conformance.harness.client import from_kubeconfig
from conformance.harness.errors import TargetMisconfigured, TargetUnreachable
from conformance.kube.status import StatusError


@click.command()
@click.option("--kubeconfig", type=click.Path(path_type=Path), required=True, metavar="F")
@click.option("--context", metavar="C", help="Context of the kubeconfig, if not the current one.")
@click.option("--run", "run_id", default="", metavar="ID", help="What one run left; all without.")
@click.option("--dry-run", is_flag=True, help="Name what would be deleted, delete nothing.")
def clean_command(kubeconfig: Path, context: str | None, run_id: str, *, dry_run: bool) -> None:
    """Delete what runs of the suite left in a live cluster.

    Only objects that carry both the label and the name prefix of the suite are touched.

    \b
    Example:
      dra-conformance clean --kubeconfig ~/.kube/config --dry-run
    """
    try:
        api = from_kubeconfig(kubeconfig, context)
    except TargetMisconfigured as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    try:
        # Where nothing is served, nothing is found: that must not read as a clean cluster.
        api.ask("GET", "/version")
        found = leftovers.find_all(api, run_id)
    except TargetUnreachable as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error
    except StatusError as error:
        sentence = f"{api.server} refuses GET /version: {error}"
        raise Refusal(ExitCode.UNREACHABLE, sentence) from error
    for one in found:
        console.data(f"{'found' if dry_run else 'deleting'} {one}")
    troubles = [] if dry_run else leftovers.delete(api, found)
    if troubles:
        raise Refusal(ExitCode.INCOMPLETE, "; ".join(troubles))
    click.echo(f"{len(found)} objects {'found' if dry_run else 'deleted'}", err=True)
