"""Judge the manifests that others published, and write the report about them.

    python -m conformance.tests.policy.published

``fixtures/published/sets.yaml`` says what is judged together and explains what is found.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

from conformance import data
from conformance.catalogue import loading as catalogue
from conformance.policy import evaluate, loading
from conformance.policy.manifests import files
from conformance.policy.model import Judgement, Place, Policy
from conformance.policy.world import World

ROOT = data.fixtures("published")
REPORT = ROOT.parents[1] / "reports" / "policies" / "published.md"
_HEADER = """\
# Policies on manifests that others published

Every chart, example and manifest of `fixtures/published`, judged by all policies. Written by
`python -m conformance.tests.policy.published`; a test keeps it as it is.
"""


@frozen(kw_only=True)
class Explanation:
    """Why a finding, or what cannot be judged, is right."""

    file: str
    #: The policy, or how the sentence of a trouble begins.
    about: str
    why: str


@frozen(kw_only=True)
class Row:
    """Something that was found, and where."""

    place: str
    file: str
    #: ``must DRA-MAN-08 capacity-has-value``, or ``not judged``.
    what: str
    sentence: str
    #: The policy, or the sentence of a trouble.
    about: str


@frozen(kw_only=True)
class Together:
    """Manifests that were judged together."""

    title: str
    paths: tuple[str, ...]
    applied: int
    rows: tuple[Row, ...]


@functools.cache
def table() -> dict[str, Any]:
    """Return what ``sets.yaml`` says."""
    return yaml.safe_load((ROOT / "sets.yaml").read_text(encoding="utf-8"))


def explanations() -> tuple[Explanation, ...]:
    """Return the explanations in their order."""
    return tuple(
        Explanation(
            file=row["file"],
            about=row.get("policy") or row["trouble"],
            why=" ".join(row["why"].split()),
        )
        for row in table()["explanations"]
    )


@functools.cache
def worlds() -> tuple[Together, ...]:
    """Return everything that is judged together, judged."""
    return tuple(_world(row["title"], paths) for row in table()["sets"] for paths in _paths(row))


def explained(row: Row) -> tuple[Explanation, ...]:
    """Return what explains a row: one explanation, if all is well."""
    return tuple(
        one for one in explanations() if one.file == row.file and row.about.startswith(one.about)
    )


def render() -> str:
    """Return the report."""
    lines = [_HEADER]
    title = ""
    for world in worlds():
        if world.title != title:
            lines += [] if lines[-1].endswith("\n") or not lines[-1] else [""]
            title = world.title
            lines += [f"## {title}", ""]
        names = ", ".join(f"`{path}`" for path in world.paths)
        lines.append(f"- {names}: {world.applied} times judged, {_count(len(world.rows))}")
        for row in world.rows:
            why = " ".join(one.why for one in explained(row))
            lines += [f"  - {row.place}: **{row.what}**: {row.sentence}", f"    *{why}*"]
    return "\n".join(lines).rstrip() + "\n"


def _paths(row: dict[str, Any]) -> list[tuple[str, ...]]:
    if "files" in row:
        return [tuple(row["files"])]
    return [(str(path.relative_to(ROOT)),) for path in sorted(ROOT.glob(row["each"]))]


def _world(title: str, paths: tuple[str, ...]) -> Together:
    reading = files.read([str(ROOT / path) for path in paths])
    judged = _judged(World.of_manifests(reading.manifests))
    troubles = [
        _row(one.place, "not judged", one.sentence, one.sentence)
        for one in (*reading.troubles, *judged.troubles)
    ]
    findings = [
        _row(one.place, f"{one.level} {one.id} {one.policy}", f"{one.object}: {one.message}",
             one.policy)
        for one in judged.findings
    ]  # fmt: skip
    return Together(
        title=title,
        paths=paths,
        applied=sum(judged.applied.values()),
        rows=(*troubles, *findings),
    )


def _judged(world: World) -> Judgement:
    return evaluate.judge(_policies(), world)


@functools.cache
def _policies() -> tuple[Policy, ...]:
    return loading.load(catalogue.load())


def _row(place: Place, what: str, sentence: str, about: str) -> Row:
    file = str(Path(place.file).relative_to(ROOT))
    where = f"{file}:{place.line}:{place.column}"
    return Row(place=where, file=file, what=what, sentence=sentence, about=about)


def _count(number: int) -> str:
    return f"{number} finding{'s' if number != 1 else ''}" if number else "nothing found"


if __name__ == "__main__":
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(render(), encoding="utf-8")
