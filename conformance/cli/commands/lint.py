"""``lint``: judge rendered manifests by the policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from conformance.cli import findings
from conformance.cli.exits import ExitCode, Refusal
from conformance.policy.manifests import files
from conformance.policy.manifests.documents import Reading
from conformance.policy.world import World
from conformance.report.lint.document import Scope

_NAMED = 3


@click.command("lint")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@findings.common
def lint_command(paths: tuple[str, ...], **options: Any) -> ExitCode:
    """Judge manifests: files, folders of *.yaml, *.yml and *.json, and - for standard input.

    Ends with 0 where nothing is found, 1 for findings at or above --fail-on, 2 for a wrong
    question, 4 where a file could not be judged.

    \b
    Example:
      dra-conformance lint manifests/
      helm template my-driver | dra-conformance lint - --format sarif
    """
    for path in paths:
        if path != "-" and not _exists(path):
            raise Refusal(ExitCode.USAGE, f"no such file or folder: {path}")
    judge = findings.judge(options)
    reading = files.read(dict.fromkeys(paths))
    _check(reading, paths)
    return judge.conclude(
        World.of_manifests(reading.manifests), reading.troubles, _scope(reading, paths)
    )


def _exists(path: str) -> bool:
    """Tell whether a path leads somewhere; behind a locked folder, reading it tells more."""
    try:
        return Path(path).exists()
    except OSError:
        return True


def _check(reading: Reading, paths: tuple[str, ...]) -> None:
    """Refuse to judge nothing: an empty pipe would look like an answer.

    So would one that carries only the complaint of whoever was to render manifests. A file
    that holds something else is none: hooks name whatever has changed.
    """
    others = reading.others if "-" not in paths else 0
    if not (reading.manifests or reading.troubles or others):
        raise Refusal(ExitCode.INCOMPLETE, f"nothing to judge in {_named(paths)}")


def _scope(reading: Reading, paths: tuple[str, ...]) -> Scope:
    notes = () if reading.manifests else (f"no Kubernetes object is in {_named(paths)}",)
    return Scope(name=_named(paths), files=reading.files, others=reading.others, notes=notes)


def _named(paths: tuple[str, ...]) -> str:
    names = ["standard input" if path == "-" else path for path in paths]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
