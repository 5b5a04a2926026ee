"""What a run leaves behind: its header, one record per check, notes and a footer.

Times are strings in ISO 8601 with an offset, durations are seconds. Every collection is a
tuple or a plain dict of strings: a record is written once and never changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from attrs import field, frozen
from attrs.validators import deep_iterable, deep_mapping, in_, instance_of, optional

from conformance.evidence.verdict import Outcome

#: Version of the journal's shape. A reader refuses any other.
FORMAT_VERSION = 1

#: What an exhibit may be: an HTTP exchange, a gRPC call, an API object as it was read, the
#: output of a program, or a sentence of ours.
EXHIBIT_KINDS = ("http", "grpc", "object", "log", "note")

#: Obligations as RFC 2119 words; INFO is a fact to state, with nothing to assert.
LEVELS = ("MUST", "SHOULD", "MAY", "INFO")


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    # A bare string is iterable too, and would become its letters.
    if isinstance(values, str):
        raise TypeError(f"expected several strings, got the string {values!r}")
    kept: tuple[Any, ...] = tuple(values)
    if not all(isinstance(value, str) for value in kept):
        raise TypeError(f"expected strings, got {kept!r}")
    return kept


_TEXT = instance_of(str)
_NUMBER = instance_of((int, float))
_TEXT_BY_NAME = deep_mapping(
    key_validator=instance_of(str),
    value_validator=instance_of(str),
    mapping_validator=instance_of(dict),
)


@frozen(kw_only=True)
class Exhibit:
    """One piece of evidence: what was said, answered or read."""

    #: One of ``EXHIBIT_KINDS``.
    kind: str = field(validator=in_(EXHIBIT_KINDS))
    #: One line, for instance ``POST /api/v1/pods → 201``.
    title: str = field(validator=_TEXT)
    body: str = field(default="", validator=_TEXT)


@frozen(kw_only=True)
class CheckRecord:
    """What one check came to, and what it saw."""

    #: The check's own name, for instance its pytest node id.
    check: str = field(validator=_TEXT)
    #: Ids of the requirements that it judges.
    requirements: tuple[str, ...] = field(converter=_texts)
    outcome: Outcome = field(converter=Outcome)
    #: Why, in a sentence or a few; empty for a pass.
    message: str = field(default="", validator=_TEXT)
    exhibits: tuple[Exhibit, ...] = field(
        default=(), converter=tuple, validator=deep_iterable(instance_of(Exhibit))
    )
    #: Real time that the check took.
    seconds: float = field(default=0.0, validator=_NUMBER)
    #: Time that passed on the target's clock, where that clock is virtual.
    virtual_seconds: float | None = field(default=None, validator=optional(_NUMBER))
    #: Values of the parametrized row, by name.
    parameters: dict[str, str] = field(factory=dict, validator=_TEXT_BY_NAME)
    #: Worker process that ran it; empty when there was only one.
    worker: str = field(default="", validator=_TEXT)


@frozen(kw_only=True)
class Clause:
    """A requirement as it stood when it was judged."""

    id: str = field(validator=_TEXT)
    level: str = field(validator=in_(LEVELS))
    role: str = field(validator=_TEXT)
    statement: str = field(validator=_TEXT)
    #: Document and section.
    source: str = field(validator=_TEXT)
    feature: str = field(default="", validator=_TEXT)
    profiles: tuple[str, ...] = field(default=(), converter=_texts)
    #: ``test``, ``policy`` or ``both``; empty where nothing checks it.
    check: str = field(default="", validator=_TEXT)
    #: Why nothing checks it (gaps.yaml); empty where something does.
    gap: str = field(default="", validator=_TEXT)
    #: Kind of the gap, as gaps.yaml names it: ``later``, ``policy``, ``not-testable``.
    gap_kind: str = field(default="", validator=_TEXT)
    #: Names of the faults that must make it fail.
    saboteurs: tuple[str, ...] = field(default=(), converter=_texts)
    #: Where the document and real clusters differ, or the source is ambiguous.
    note: str = field(default="", validator=_TEXT)
    #: False where the command line chose other requirements (profile, only, skip).
    selected: bool = field(default=True, validator=instance_of(bool))


@frozen(kw_only=True)
class Target:
    """Who was judged."""

    #: A name for people, for instance ``bundled reference`` or the driver's name.
    name: str = field(validator=_TEXT)
    #: ``bundled``, ``kube`` or ``driver``.
    kind: str = field(validator=_TEXT)
    kubernetes_version: str = field(default="", validator=_TEXT)
    #: URL of the API server, where it has one that outlives the run.
    server: str = field(default="", validator=_TEXT)
    #: Anything else worth a line, by name: driver, device class, profile of the hardware.
    facts: dict[str, str] = field(factory=dict, validator=_TEXT_BY_NAME)


@frozen(kw_only=True)
class Header:
    """How the run was started, and the law that it judges by."""

    tool_version: str = field(validator=_TEXT)
    run_id: str = field(validator=_TEXT)
    target: Target = field(validator=instance_of(Target))
    started: str = field(validator=_TEXT)
    #: The command as it was typed, word by word.
    command: tuple[str, ...] = field(default=(), converter=_texts)
    feature_gates: dict[str, bool] = field(
        factory=dict,
        validator=deep_mapping(
            key_validator=instance_of(str),
            value_validator=instance_of(bool),
            mapping_validator=instance_of(dict),
        ),
    )
    #: Profiles that were asked for; empty means all.
    profiles: tuple[str, ...] = field(default=(), converter=_texts)
    seed: int | None = field(default=None, validator=optional(instance_of(int)))
    #: Longest single wait that was allowed, in seconds.
    max_wait: float | None = field(default=None, validator=optional(_NUMBER))
    clauses: tuple[Clause, ...] = field(
        default=(), converter=tuple, validator=deep_iterable(instance_of(Clause))
    )
    #: What each feature means and its stage, in a sentence, by name.
    features: dict[str, str] = field(factory=dict, validator=_TEXT_BY_NAME)
    #: What each profile holds, in a sentence, by name.
    profile_sentences: dict[str, str] = field(factory=dict, validator=_TEXT_BY_NAME)
    format_version: int = field(default=FORMAT_VERSION, validator=instance_of(int))


@frozen(kw_only=True)
class Note:
    """Something that the run has to say beside its verdicts, for instance clean-up trouble."""

    message: str = field(validator=_TEXT)


@frozen(kw_only=True)
class Footer:
    """How the run ended. A journal without one was cut short."""

    finished: str = field(validator=_TEXT)
    interrupted: bool = field(default=False, validator=instance_of(bool))
    #: Why it was interrupted; empty otherwise.
    reason: str = field(default="", validator=_TEXT)


#: One line of a journal.
Event: TypeAlias = Header | CheckRecord | Note | Footer

#: A record as JSON has it.
Fields: TypeAlias = dict[str, Any]
