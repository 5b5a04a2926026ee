"""``dra-conformance explain``: one requirement, with its source and what proves it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import click

from conformance.catalogue import loading, proofs
from conformance.catalogue.errors import CatalogueError, UnknownId
from conformance.catalogue.model import Catalogue, Maturity, Requirement
from conformance.catalogue.proofs import Proofs
from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal

_WIDTH = 88
_LABEL = 12


@click.command("explain")
@click.argument("name", metavar="ID")
def explain_command(name: str) -> None:
    """Explain a requirement: statement, source, note, checks, policies, saboteurs.

    An id whose sentence holds several obligations explains all of its parts.

    \b
    Example:
      dra-conformance explain DRA-BND-03
    """
    try:
        law, proved = loading.load(), proofs.collect()
        parts = law.family(name if name in law.requirements else _spelled(name))
    except UnknownId as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except CatalogueError as error:
        raise Refusal(ExitCode.INCOMPLETE, f"the catalogue is malformed: {error}") from error
    console.data("\n\n".join("\n".join(lines(law, proved, one)) for one in parts))


def lines(law: Catalogue, proved: Proofs, one: Requirement) -> Iterator[str]:
    """Yield the lines that explain a requirement."""
    yield f"{one.id}  {one.level}  {one.role}"
    yield from _wrapped("", one.statement)
    yield ""
    yield from _wrapped("source", _source(law, one))
    yield from _wrapped("since", f"Kubernetes {one.since}")
    if one.feature:
        yield from _wrapped("feature", _feature(law, one.feature))
    yield from _wrapped("profiles", ", ".join(law.profiles_of(one)))
    if one.note:
        yield from _wrapped("note", one.note)
    for check in proved.checks_of(one.id):
        first = check.docstring.partition("\n")[0]
        yield from _wrapped("check", check.nodeid)
        yield from _wrapped("", first)
    for policy in proved.policies_of(one.id):
        yield from _wrapped("policy", f"{policy.id}: {policy.message}")
    for saboteur in proved.saboteurs_of(one.id):
        yield from _wrapped("saboteur", f"{saboteur.name}: {saboteur.sentence}")
    gap = law.gaps.get(one.id)
    if gap:
        yield from _wrapped("gap", f"{gap.kind}: {gap.reason}")


def _spelled(name: str) -> str:
    """Return an id as the law spells it: only the letter of a part is small."""
    found = re.fullmatch(r"(dra-[a-z]+-[0-9]+)([a-z]?)", name, re.IGNORECASE)
    return f"{found[1].upper()}{found[2].lower()}" if found else name


def _source(law: Catalogue, one: Requirement) -> str:
    document = law.documents[one.source.document]
    original = document.sections[one.source.section]
    here = f"{one.source.document}, section “{one.source.section}”"
    return here if original == one.source.section else f"{here} (original: {original})"


def _feature(law: Catalogue, name: str) -> str:
    feature = law.feature(name)
    stages = ", ".join(
        f"{minor} {row.stage}{'' if row.default or row.stage is Maturity.ABSENT else ' (off)'}"
        for minor, row in feature.stages.items()
    )
    return f"{name}: {feature.sentence} {stages}"


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=_WIDTH,
        initial_indent=f"  {label:<{_LABEL}}" if label else " " * (_LABEL + 2),
        subsequent_indent=" " * (_LABEL + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
