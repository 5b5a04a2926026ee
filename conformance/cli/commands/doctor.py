"""``doctor``: judge a live cluster by the policies, and what its metrics tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from conformance.cli import findings, inspection, scraping
from conformance.cli.exits import ExitCode, Refusal
from conformance.cli.findings import Judge
from conformance.harness import client
from conformance.harness.errors import TargetMisconfigured, TargetUnreachable
from conformance.kube.status import StatusError
from conformance.policy.profiles.model import Recognised
from conformance.policy.profiles.recognise import recognise
from conformance.policy.world import World
from conformance.report.lint.document import Scope


@click.command("doctor")
@click.option("--kubeconfig", type=click.Path(path_type=Path), metavar="F")
@click.option("--context", metavar="C", help="Context of the kubeconfig, if not the current one.")
@click.option(
    "--metrics",
    "sources",
    multiple=True,
    metavar="FILE|URL",
    help="Metrics of kube-controller-manager; give two scrapes, the older one first, "
    "to judge what happened between them.",
)
@scraping.options
@findings.common
def doctor_command(
    kubeconfig: Path | None, context: str | None, sources: tuple[str, ...], **options: Any
) -> ExitCode:
    """Judge a live cluster before anybody certifies on it: it is only read.

    Ends with 0 where nothing is found, 1 for findings at or above --fail-on, 2 for a wrong
    question, 3 where the cluster could not be asked, 4 where something could not be read.
    Nothing of --kubeconfig is shown to a URL of --metrics, only what --metrics-... names.

    \b
    Example:
      dra-conformance doctor --kubeconfig ~/.kube/config --out report
      dra-conformance doctor --metrics metrics.txt
      dra-conformance doctor --metrics https://127.0.0.1:10257/metrics \\
        --metrics-token-file token --metrics-insecure
    """
    if kubeconfig is None and not sources:
        raise Refusal(ExitCode.USAGE, "give --kubeconfig, --metrics, or both")
    scraped = scraping.read(sources, scraping.Access.taken(options))
    judge = findings.judge(options)
    inventory = _inventory(judge, kubeconfig, context)
    server = next((one.name for one in inventory.manifests), "")
    systems = recognise(one.object for one in inventory.manifests)
    scope = Scope(
        name=server or ", ".join(sources),
        notes=(*(note for one in systems for note in _told(one)), *scraped.notes),
    )
    return judge.conclude(
        World.of_manifests((*inventory.manifests, *scraped.manifests)),
        (*inventory.troubles, *scraped.troubles),
        scope,
    )


def _told(found: Recognised) -> Iterator[str]:
    """Yield what a person should know about a system that is installed."""
    yield f"{found.system.title}: {', '.join(found.evidence)}"
    for missing in found.missing:
        yield f"{found.system.title}: missing: {missing}"
    for caveat in found.caveats:
        named = f" ({caveat.requirement})" if caveat.requirement else ""
        yield f"{found.system.title}: {caveat.sentence}{named}"


def _inventory(judge: Judge, kubeconfig: Path | None, context: str | None) -> inspection.Inventory:
    if kubeconfig is None:
        return inspection.Inventory(manifests=(), troubles=())
    try:
        api = client.from_kubeconfig(kubeconfig, context)
    except TargetMisconfigured as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    try:
        return inspection.read(api, judge.policies)
    except TargetMisconfigured as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except StatusError as error:
        sentence = f"{api.server} refuses what is read of it: {error}"
        raise Refusal(ExitCode.UNREACHABLE, sentence) from error
    except TargetUnreachable as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error
    finally:
        api.close()
