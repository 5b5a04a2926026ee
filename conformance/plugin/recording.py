"""One check from its start to its record: what it said, what it came to, what it took."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping
from typing import Any

import attrs

from conformance.evidence.record import CheckRecord, Exhibit
from conformance.evidence.verdict import Outcome
from conformance.harness.errors import HarnessError
from conformance.harness.exchange import Exchanges
from conformance.harness.target import Cluster
from conformance.harness.world import World
from conformance.plugin.outcomes import PASSED, Finding

#: Longest object that is kept of a world's state, in characters.
_OBJECT = 8000


@attrs.define(kw_only=True)
class Trace:
    """One check while it runs."""

    check: str
    requirements: tuple[str, ...]
    parameters: Mapping[str, str] = attrs.field(factory=dict)
    worker: str = ""
    cluster: Cluster | None = None
    world: World | None = None
    finding: Finding | None = None
    exhibits: tuple[Exhibit, ...] = ()
    notes: list[str] = attrs.field(factory=list)
    started: float = attrs.field(factory=time.monotonic)
    started_virtually: float = 0.0
    seconds: float = 0.0
    virtual_seconds: float | None = None

    def begin(self, cluster: Cluster) -> None:
        """Start listening to what is said to a cluster."""
        self.cluster = cluster
        cluster.api.exchanges = Exchanges()
        self.started_virtually = cluster.time.now()

    def settle(self, finding: Finding) -> None:
        """Keep what the check came to and all evidence; objects are still there."""
        if self.finding is not None:
            return
        self.finding = finding
        self.seconds = time.monotonic() - self.started
        if self.cluster is None:
            self.exhibits = finding.exhibits
            return
        if self.cluster.time.virtual:
            self.virtual_seconds = self.cluster.time.now() - self.started_virtually
        said = _said(self.cluster.api.exchanges)
        state = () if finding == PASSED else self._state()
        self.exhibits = (*finding.exhibits, *self._hurried(), *state, *said)

    def record(self) -> CheckRecord:
        """Return the record, once the check is over."""
        finding = self.finding or PASSED
        troubles = [*self.notes, *(self.world.troubles if self.world else [])]
        notes = tuple(Exhibit(kind="note", title="clean-up", body=one) for one in troubles)
        return CheckRecord(
            check=self.check,
            requirements=self.requirements,
            outcome=finding.outcome,
            message=finding.message,
            exhibits=(*self.exhibits, *notes),
            seconds=round(self.seconds, 4),
            virtual_seconds=self.virtual_seconds,
            parameters=dict(self.parameters),
            worker=self.worker,
        )

    def _hurried(self) -> tuple[Exhibit, ...]:
        if self.world is None or not self.world.hurried:
            return ()
        title = f"the driver's monotonic clock went ahead by {self.world.hurried} s meanwhile"
        return (Exhibit(kind="note", title=title),)

    def _state(self) -> tuple[Exhibit, ...]:
        if self.world is None:
            return ()
        try:
            objects = self.world.snapshot()
        except HarnessError as error:
            return (Exhibit(kind="note", title="state could not be read", body=str(error)),)
        told = [
            Exhibit(kind="log", title=name, body=tell())
            for name, tell in self.world.witnesses.items()
        ]
        return (*told, *(_object(obj) for obj in objects))


def to_fields(record: CheckRecord) -> dict[str, Any]:
    """Return a record as plain values, to travel from a worker to its controller."""
    return json.loads(json.dumps(attrs.asdict(record)))


def from_fields(fields: Mapping[str, Any]) -> CheckRecord:
    """Return the record that a worker sent."""
    values: dict[str, Any] = dict(fields)
    values["exhibits"] = tuple(Exhibit(**one) for one in fields["exhibits"])
    return CheckRecord(**values)


def lost(name: str, requirements: Collection[str], told: str) -> CheckRecord:
    """Return the record of a check that ended with its process, of which nothing else is known."""
    return CheckRecord(
        check=name,
        requirements=tuple(requirements),
        outcome=Outcome.ERRORED,
        message=f"the process that ran this check is gone: {' '.join(told.split())}",
    )


def _said(exchanges: Exchanges) -> tuple[Exhibit, ...]:
    said = [Exhibit(kind=one.kind, title=one.title(), body=one.body()) for one in exchanges.all()]
    if exchanges.left_out:
        body = f"{exchanges.left_out} exchanges in the middle were left out"
        said.append(Exhibit(kind="note", title="bounded", body=body))
    return tuple(said)


def _object(obj: Mapping[str, Any]) -> Exhibit:
    kept = {**obj, "metadata": {**obj["metadata"]}}
    kept["metadata"].pop("managedFields", None)
    text = json.dumps(kept, ensure_ascii=False)
    body = text if len(text) <= _OBJECT else f"{text[:_OBJECT]}\n… ({len(text)} characters)"
    return Exhibit(kind="object", title=f"{obj['kind']} {obj['metadata']['name']}", body=body)
