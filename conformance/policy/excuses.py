"""Findings that somebody accepted: by an annotation on the object, or by a waiver.

    metadata:
      annotations:
        dra-conformance/ignore: |
          DRA-ADM-07b: the driver has no health service before version 2
          host-paths: reviewed by the platform team

Each line names a requirement or a policy, and why it does not count here. A line without a
reason, of an unknown name, or that nothing would have been found without, is a finding itself.
"""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Iterable, Iterator, Mapping

import attrs
from attrs import define

from conformance.catalogue.model import Waiver
from conformance.policy.model import Excused, Finding, Judgement, Level, Place, Policy
from conformance.policy.world import Manifest, World, part, text

ANNOTATION = "dra-conformance/ignore"
#: What findings about excuses are called.
EXCUSE = "excuse"
_STEPS = ("metadata", "annotations", ANNOTATION)


@define
class _Line:
    """One line of an annotation."""

    name: str
    reason: str
    place: Place
    object: str
    used: bool = False


def by_annotation(judgement: Judgement, world: World, policies: Iterable[Policy]) -> Judgement:
    """Set aside what annotations excuse, and find what is wrong about annotations."""
    names = {name for one in policies for name in (one.id, *one.requirements)}
    lines = {
        (manifest.place, str(manifest)): list(_lines(manifest)) for manifest in world.manifests
    }
    kept: list[Finding] = []
    excused = list(judgement.excused)
    for finding in judgement.findings:
        line = _excusing(finding, lines)
        if line is None:
            kept.append(finding)
        else:
            line.used = True
            excused.append(Excused(finding=finding, reason=line.reason, by="annotation"))
    every = [line for those in lines.values() for line in those]
    wrong = [trouble for line in every if (trouble := _trouble(line, names))]
    return attrs.evolve(judgement, findings=(*kept, *wrong), excused=tuple(excused))


def by_waiver(judgement: Judgement, waivers: Mapping[str, Waiver], today: dt.date) -> Judgement:
    """Set aside what waivers excuse that still hold on a day."""
    held = {name: one for name, one in waivers.items() if one.holds(today)}
    excused = [
        Excused(finding=one, reason=held[one.id].reason, by=str(held[one.id].position))
        for one in judgement.findings
        if one.id in held
    ]
    kept = tuple(one for one in judgement.findings if one.id not in held)
    return attrs.evolve(judgement, findings=kept, excused=(*judgement.excused, *excused))


def _lines(manifest: Manifest) -> Iterator[_Line]:
    said = text(part(manifest.object, "metadata", "annotations").get(ANNOTATION))
    for line in said.splitlines():
        name, _, reason = line.partition(":")
        if line.strip():
            yield _Line(
                name=name.strip(),
                reason=reason.strip(),
                place=manifest.where(_STEPS),
                object=str(manifest),
            )


def _excusing(finding: Finding, lines: Mapping[tuple[Place, str], list[_Line]]) -> _Line | None:
    for line in lines.get((finding.whole, finding.object), ()):
        if line.reason and line.name in {finding.id, finding.policy}:
            return line
    return None


def _trouble(line: _Line, names: set[str]) -> Finding | None:
    if line.name not in names:
        close = difflib.get_close_matches(line.name, names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        sentence = f"No policy is called {line.name!r} or judges a requirement of that id{hint}"
    elif not line.reason:
        sentence = f"An excuse needs a reason: {ANNOTATION}: '{line.name}: because …'."
    elif not line.used:
        sentence = f"There is nothing to excuse here: {line.name} finds nothing."
    else:
        return None
    return Finding(
        id=EXCUSE,
        policy=EXCUSE,
        level=Level.SHOULD,
        message=sentence,
        place=line.place,
        whole=line.place,
        object=line.object,
        path=f'metadata.annotations["{ANNOTATION}"]',
    )
