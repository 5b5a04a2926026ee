"""``dra-conformance list``: every requirement, and what judges it."""

from __future__ import annotations

import json
from typing import Any

import click

from conformance.catalogue import loading, proofs
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.catalogue.model import Catalogue, Level, Requirement
from conformance.catalogue.proofs import Proofs
from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal


@click.command("list")
@click.option(
    "--format", "shape", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option("--profile", "profiles", multiple=True, metavar="P", help="Only this profile.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only ids that match.")
@click.option("--skip", multiple=True, metavar="GLOB", help="No ids that match.")
def list_command(
    shape: str, profiles: tuple[str, ...], only: tuple[str, ...], skip: tuple[str, ...]
) -> None:
    """List the requirements: id, level, role, what judges each, statement.

    \b
    Example:
      dra-conformance list --profile driver/core
      dra-conformance list --format json --only 'DRA-BND-*'
    """
    try:
        law, proved = loading.load(), proofs.collect()
        chosen = law.select(profiles, only, skip)
    except UnknownName as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except CatalogueError as error:
        raise Refusal(ExitCode.INCOMPLETE, f"the catalogue is malformed: {error}") from error
    if shape == "json":
        rows = [described(law, proved, one) for one in chosen]
        console.data(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for one in chosen:
        judged = coverage(law, proved, one)
        console.data(f"{one.id:<12} {one.level:<7} {one.role:<11} {judged:<17} {one.statement}")
    click.echo(f"{len(chosen)} of {len(law.requirements)} requirements", err=True)


def described(law: Catalogue, proved: Proofs, one: Requirement) -> dict[str, Any]:
    """Return everything about a requirement as plain data."""
    gap = law.gaps.get(one.id)
    return {
        "id": one.id,
        "area": one.area,
        "level": one.level.value,
        "role": one.role.value,
        "statement": one.statement,
        "source": {"document": one.source.document, "section": one.source.section},
        "since": one.since,
        "feature": one.feature,
        "check": one.check.value,
        "note": one.note,
        "profiles": list(law.profiles_of(one)),
        "checks": [check.nodeid for check in proved.checks_of(one.id)],
        "policies": [policy.id for policy in proved.policies_of(one.id)],
        "saboteurs": [saboteur.name for saboteur in proved.saboteurs_of(one.id)],
        "gap": {"kind": gap.kind.value, "reason": gap.reason} if gap else None,
    }


def coverage(law: Catalogue, proved: Proofs, one: Requirement) -> str:
    """Say in two words what judges a requirement."""
    counts = {"check": len(proved.checks_of(one.id)), "policy": len(proved.policies_of(one.id))}
    judged = [counted(count, noun) for noun, count in counts.items() if count]
    if judged:
        return ", ".join(judged)
    if one.level is Level.INFO:
        return "a fact"
    gap = law.gaps.get(one.id)
    return f"gap: {gap.kind}" if gap else "untested"


def counted(count: int, noun: str) -> str:
    """Return ``1 policy`` or ``2 policies``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"1 {noun}" if count == 1 else f"{count} {plural}"
