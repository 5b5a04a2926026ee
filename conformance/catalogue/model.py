"""The values of the law, and the questions that can be put to it.

Everything here is frozen and pure. Ids are literal and eternal: ``DRA-BND-03``, with a letter
(``DRA-BND-03a``) where one sentence of a document holds several obligations. ``DRA-BND-03`` is
then the *family* of these parts, which a question may name as well.
"""

from __future__ import annotations

import datetime as dt
import fnmatch
import functools
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import field, frozen

from conformance.catalogue.errors import UnknownId, UnknownName


class Level(StrEnum):
    """How binding a requirement is (RFC 2119); ``INFO`` is a fact without an obligation."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"
    INFO = "INFO"


class Role(StrEnum):
    """Who must behave so; ``admin`` and ``workload`` are manifests and configuration."""

    DRIVER = "driver"
    APISERVER = "apiserver"
    CONTROLLER = "controller"
    SCHEDULER = "scheduler"
    KUBELET = "kubelet"
    RUNTIME = "runtime"
    ADMIN = "admin"
    WORKLOAD = "workload"


class CheckKind(StrEnum):
    """By what a requirement can be judged."""

    TEST = "test"
    POLICY = "policy"
    BOTH = "both"
    NONE = "none"


class Maturity(StrEnum):
    """The stage of a feature in one Kubernetes minor."""

    ABSENT = "absent"
    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"


class GapKind(StrEnum):
    """Why a requirement has no check."""

    LATER = "later"
    NOT_TESTABLE = "not-testable"
    POLICY = "policy"


@frozen(kw_only=True)
class Position:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        """Spell it as editors do."""
        return f"{self.file}:{self.line}:{self.column}"


@frozen(kw_only=True)
class Source:
    """Where an obligation comes from: a document and its section."""

    document: str
    section: str


@frozen(kw_only=True)
class Document:
    """A cited document; ``sections`` maps each heading to the one in the original."""

    title: str
    original: str
    sections: Mapping[str, str]
    position: Position = field(eq=False)


@frozen(kw_only=True)
class Requirement:
    """One obligation of one role: the unit that is judged and reported."""

    id: str
    area: str
    level: Level
    role: Role
    statement: str
    source: Source
    #: The first Kubernetes minor in which it can be asked for.
    since: str
    #: The feature that it belongs to, if any.
    feature: str | None
    check: CheckKind
    #: How the source is read, and where real clusters differ from it.
    note: str | None
    position: Position = field(eq=False)

    @property
    def family(self) -> str:
        """The id without the letter that marks one of several obligations."""
        return self.id.rstrip("abcdefghijklmnopqrstuvwxyz")


@frozen(kw_only=True)
class Stage:
    """A feature in one Kubernetes minor: ``locked`` gates cannot be changed."""

    stage: Maturity
    default: bool
    locked: bool


@frozen(kw_only=True)
class Feature:
    """A feature, the gates that turn it on and its stage in each minor."""

    name: str
    sentence: str
    gates: tuple[str, ...]
    #: Gates of others that must be on as well.
    requires: tuple[str, ...]
    stages: Mapping[str, Stage]
    position: Position = field(eq=False)


@frozen(kw_only=True)
class Profile:
    """A named selection of requirements, by features and by globs of ids."""

    name: str
    sentence: str
    features: tuple[str, ...]
    ids: tuple[str, ...]
    except_: tuple[str, ...]
    #: Row of KEP-5970 to the ids that judge it; empty where a profile has no such table.
    kep5970: Mapping[str, tuple[str, ...]]
    position: Position = field(eq=False)

    def holds(self, requirement: Requirement) -> bool:
        """Tell whether the requirement belongs to this profile."""
        chosen = requirement.feature in self.features or matches(requirement, self.ids)
        return chosen and not matches(requirement, self.except_)


@frozen(kw_only=True)
class Gap:
    """A requirement without a check, and the reason."""

    id: str
    kind: GapKind
    reason: str
    position: Position = field(eq=False)


@frozen(kw_only=True)
class Wait:
    """A bound that a conforming target meets, in seconds of the target's own time."""

    name: str
    seconds: float
    sentence: str
    position: Position = field(eq=False)


@frozen(kw_only=True)
class Waiver:
    """A failure that is known and tracked, up to and including one day."""

    id: str
    reason: str
    until: dt.date
    link: str
    position: Position = field(eq=False)

    def holds(self, today: dt.date) -> bool:
        """Tell whether the waiver still counts on that day."""
        return today <= self.until


def matches(requirement: Requirement, globs: Iterable[str]) -> bool:
    """Tell whether a glob matches the id of the requirement, or that of its family."""
    fits = _any_of(tuple(globs)).fullmatch
    return bool(fits(requirement.id) or fits(requirement.family))


@functools.cache
def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for what one of the globs matches; without any, nothing does."""
    return re.compile("|".join(map(fnmatch.translate, globs)) or r"(?!)")


def minor_of(version: str) -> str:
    """Return the minor of a version: ``1.37`` for ``v1.37.2``."""
    return ".".join(version.removeprefix("v").split("-")[0].split(".")[:2]).rstrip("+")


@frozen(kw_only=True)
class Catalogue:
    """The whole law. Every mapping is keyed by name and keeps the order of the files."""

    requirements: Mapping[str, Requirement]
    features: Mapping[str, Feature]
    profiles: Mapping[str, Profile]
    gaps: Mapping[str, Gap]
    waits: Mapping[str, Wait]
    documents: Mapping[str, Document]

    @property
    def versions(self) -> tuple[str, ...]:
        """The Kubernetes minors that the law knows, oldest first."""
        return tuple(next(iter(self.features.values())).stages)

    def requirement(self, name: str) -> Requirement:
        """Return the requirement with this id; raises ``UnknownId``."""
        if name not in self.requirements:
            raise UnknownId(name, self.requirements)
        return self.requirements[name]

    def family(self, name: str) -> tuple[Requirement, ...]:
        """Return the requirement with this id, or the parts of the family called so.

        Raises ``UnknownId`` where it is neither.
        """
        found = tuple(one for one in self.requirements.values() if name in (one.id, one.family))
        if not found:
            families = {one.family for one in self.requirements.values()}
            raise UnknownId(name, sorted(families.union(self.requirements)))
        return found

    def profile(self, name: str) -> Profile:
        """Return the profile called so; raises ``UnknownName``."""
        if name not in self.profiles:
            raise UnknownName("profile", name, self.profiles)
        return self.profiles[name]

    def profiles_of(self, requirement: Requirement) -> tuple[str, ...]:
        """Return the names of the profiles that hold the requirement."""
        return tuple(one.name for one in self.profiles.values() if one.holds(requirement))

    def select(
        self,
        profiles: Iterable[str] = (),
        only: Iterable[str] = (),
        skip: Iterable[str] = (),
    ) -> tuple[Requirement, ...]:
        """Return what is in one of the profiles, matches ``only`` and does not match ``skip``.

        No profile and no glob mean no restriction. Raises ``UnknownName`` for an unknown
        profile and ``UnknownId`` for a glob that matches nothing: a selection that silently
        is empty would pass.
        """
        chosen = [self.profile(name) for name in profiles]
        wanted, unwanted = tuple(only), tuple(skip)
        for glob in (*wanted, *unwanted):
            if not any(matches(one, [glob]) for one in self.requirements.values()):
                raise UnknownId(glob, self.requirements)
        return tuple(
            one
            for one in self.requirements.values()
            if (not chosen or any(profile.holds(one) for profile in chosen))
            and (not wanted or matches(one, wanted))
            and not matches(one, unwanted)
        )

    def feature(self, name: str) -> Feature:
        """Return the feature called so; raises ``UnknownName``."""
        if name not in self.features:
            raise UnknownName("feature", name, self.features)
        return self.features[name]

    def stage(self, feature: str, version: str) -> Stage:
        """Return the stage of a feature in a Kubernetes version (``1.37``, ``v1.37.2``).

        A version newer than the law is taken as the newest that the law knows. Raises
        ``UnknownName`` for an unknown feature or an older version.
        """
        return self.feature(feature).stages[self._known(version)]

    def gates(self, version: str) -> dict[str, bool]:
        """Return the default of every gate that exists in a Kubernetes version."""
        minor = self._known(version)
        return {
            gate: feature.stages[minor].default
            for feature in self.features.values()
            for gate in feature.gates
            if feature.stages[minor].stage is not Maturity.ABSENT
        }

    def wait(self, name: str) -> Wait:
        """Return the wait called so; raises ``UnknownName``."""
        if name not in self.waits:
            raise UnknownName("wait", name, self.waits)
        return self.waits[name]

    def _known(self, version: str) -> str:
        minor = minor_of(version)
        if minor in self.versions:
            return minor
        major, _, number = minor.partition(".")
        newest = self.versions[-1]
        if major == "1" and number.isdecimal() and int(number) > int(newest.partition(".")[2]):
            return newest
        raise UnknownName("Kubernetes version", version, self.versions)
