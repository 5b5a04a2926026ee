"""Hold policies against objects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from conformance.cel import EvaluationError, Expression
from conformance.policy import paths
from conformance.policy.facts.table import FACTS
from conformance.policy.model import Finding, Judgement, Policy, Trouble
from conformance.policy.paths import Steps
from conformance.policy.world import Manifest, Subject, World

_SHOWN = 160


def judge(policies: Iterable[Policy], world: World) -> Judgement:
    """Return what the policies say about every object of a world."""
    known = tuple(policies)
    applied = dict.fromkeys((one.id for one in known), 0)
    findings: list[Finding] = []
    troubles: list[Trouble] = []
    ignored: Counter[str] = Counter()
    for manifest in world.manifests:
        if not manifest.judged:
            continue
        matching = [one for one in known if matches(one, manifest)]
        if not matching:
            ignored[manifest.kind] += 1
            continue
        asked = Asked(manifest=manifest, world=world)
        for policy in matching:
            answers = list(_answers(policy, asked))
            troubles += [one for one in answers if isinstance(one, Trouble)]
            findings += [one for one in answers if isinstance(one, Finding)]
            applied[policy.id] += sum(not isinstance(one, Trouble) for one in answers)
    return Judgement(
        findings=tuple(findings),
        excused=(),
        troubles=tuple(troubles),
        applied=applied,
        judged=sum(one.judged for one in world.manifests) - ignored.total(),
        ignored=dict(sorted(ignored.items())),
    )


def matches(policy: Policy, manifest: Manifest) -> bool:
    """Tell whether a policy is about objects of that kind."""
    kind, group = manifest.kind, manifest.group
    # Others have a Service or a Cluster of their own; their groups are not below k8s.io.
    kubernetes = "." not in group or group.endswith(".k8s.io")
    named = {f"{group}/{kind}", kind} if kubernetes else {f"{group}/{kind}"}
    return bool(named & set(policy.match.kinds))


@define
class Asked:
    """One object, and what expressions have asked about it so far."""

    manifest: Manifest
    world: World
    _facts: dict[str, Any] = field(init=False, factory=dict)

    def values(self, expression: Expression, element: Any) -> dict[str, Any]:
        """Return the variables that an expression reads; raises ``EvaluationError``."""
        facts = {name: self._fact(name) for name in expression.members("facts")}
        objects = {kind: self.world.of(kind) for kind in expression.members("objects")}
        return {"object": self.manifest.object, "self": element, "facts": facts,
                "objects": objects}  # fmt: skip

    def _fact(self, name: str) -> Any:
        if name not in self._facts:
            subject = Subject(object=self.manifest.object, world=self.world)
            self._facts[name] = subject.once(FACTS[name])
        return self._facts[name]


def _answers(policy: Policy, asked: Asked) -> Iterator[Finding | Trouble | None]:
    """Yield one answer for each element that the policy judges; None where it holds."""
    when = policy.match.when
    try:
        if when and not when.holds(asked.values(when, asked.manifest.object)):
            return
    except EvaluationError as error:
        yield _trouble(policy, asked.manifest, (), error)
        return
    for steps, element in _elements(policy, asked.manifest):
        try:
            yield _answer(policy, asked, steps, element)
        except EvaluationError as error:
            yield _trouble(policy, asked.manifest, steps, error)


def _answer(policy: Policy, asked: Asked, steps: Steps, element: Any) -> Finding | None:
    if policy.require.holds(asked.values(policy.require, element)):
        return None
    message = policy.message
    if policy.show is not None:
        shown = json.dumps(policy.show.evaluate(asked.values(policy.show, element)), default=str)
        short = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        message = f"{message.removesuffix('.')} (found: {short})."
    where = _pointed(policy, asked.manifest, steps)
    return Finding(
        id=policy.requirements[0],
        policy=policy.id,
        level=policy.level,
        message=message,
        place=asked.manifest.where(where),
        whole=asked.manifest.place,
        object=str(asked.manifest),
        path=paths.spelled(where),
    )


def _elements(policy: Policy, manifest: Manifest) -> Iterator[tuple[Steps, Any]]:
    if not policy.match.each:
        yield (), manifest.object
    for text in policy.match.each:
        steps = paths.rooted(paths.parse(text), manifest.kind)
        if steps is not None:
            yield from paths.expand(manifest.object, steps)


def _pointed(policy: Policy, manifest: Manifest, steps: Steps) -> Steps:
    """Return the path of a finding: what ``at`` names below the element, or the element."""
    if policy.at is None:
        return steps
    below = paths.parse(policy.at)
    rooted = below if steps else paths.rooted(below, manifest.kind)
    return (*steps, *(rooted or ()))


def _trouble(policy: Policy, manifest: Manifest, steps: Steps, error: EvaluationError) -> Trouble:
    sentence = f"{manifest} cannot be judged by {policy.id}: {error}"
    return Trouble(place=manifest.where(steps), sentence=sentence)
