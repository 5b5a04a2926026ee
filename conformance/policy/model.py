"""The values of declarative judgement: policies, what they found, what could not be judged.

Everything here is frozen and pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from conformance.catalogue.model import Level as Obligation
from conformance.catalogue.model import Position
from conformance.cel import Expression

#: What expressions of policies see.
VARIABLES = ("object", "self", "facts", "objects")


class Level(StrEnum):
    """How much a finding weighs; ``advice`` never fails anything."""

    MUST = "must"
    SHOULD = "should"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return list(Level).index(self)

    @classmethod
    def of(cls, obligation: Obligation) -> Level:
        """Return the weight of breaking a requirement of that level."""
        names = {Obligation.MUST: cls.MUST, Obligation.SHOULD: cls.SHOULD}
        return names.get(obligation, cls.ADVICE)


@frozen(kw_only=True)
class Match:
    """What a policy is about."""

    #: ``Kind`` or ``group/Kind``; a bare kind is of any group of Kubernetes' own.
    kinds: tuple[str, ...]
    #: Applies only where this is true.
    when: Expression | None = None
    #: Paths of the elements that are judged one by one; empty for the whole object.
    each: tuple[str, ...] = ()


@frozen(kw_only=True)
class Policy:
    """A good practice as data: what it is about, and what must hold."""

    id: str
    area: str
    #: The requirements that it judges; findings carry the first.
    requirements: tuple[str, ...]
    match: Match
    require: Expression
    message: str
    #: Where a finding points, below what is judged.
    at: str | None
    #: An expression whose value is told with the message.
    show: Expression | None
    level: Level
    position: Position = field(eq=False)


@frozen(kw_only=True)
class Place:
    """Where something stands: in a file, or in an object of a cluster."""

    #: The file as it was named, or ``cluster``.
    file: str
    #: From 1; 0 where there is no text, as in a cluster.
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Spell it as editors do."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@frozen(kw_only=True)
class Finding:
    """A policy that does not hold."""

    #: The requirement that is broken.
    id: str
    policy: str
    level: Level
    message: str
    place: Place
    #: Where the whole object stands.
    whole: Place
    #: ``Kind namespace/name``.
    object: str
    #: The field in question, such as ``spec.template.spec``; empty for the whole object.
    path: str


@frozen(kw_only=True)
class Excused:
    """A finding that somebody accepted, and why."""

    finding: Finding
    reason: str
    #: ``annotation``, or the place of the waiver.
    by: str


@frozen(kw_only=True)
class Trouble:
    """Something that could not be judged, and why."""

    place: Place
    sentence: str

    def __str__(self) -> str:
        """Return the line that tells it."""
        return f"{self.place}: {self.sentence}"


@frozen(kw_only=True)
class Judgement:
    """Everything that policies said about a set of objects."""

    findings: tuple[Finding, ...]
    excused: tuple[Excused, ...]
    troubles: tuple[Trouble, ...]
    #: Policy to the number of objects or elements that it was applied to; every policy is there.
    applied: Mapping[str, int]
    #: Number of objects that some policy matched.
    judged: int
    #: Kinds that no policy is about, with the number of their objects.
    ignored: Mapping[str, int]

    def count(self, level: Level) -> int:
        """Return the number of findings of a level."""
        return sum(one.level is level for one in self.findings)
