"""A journal as lines of JSON: one event a line, header first, footer last.

The first line names the version of the format. A last line that was torn by a crash is
left out; a missing footer means that the run was cut short. Anything else that does not
fit is refused with the number of its line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, cast

import attrs

from conformance.evidence import redact
from conformance.evidence.record import (
    FORMAT_VERSION,
    CheckRecord,
    Clause,
    Event,
    Exhibit,
    Fields,
    Footer,
    Header,
    Note,
    Target,
)


class JournalError(Exception):
    """These lines are no journal that this version can read; says where."""

    def __init__(self, problem: str, *, line: int) -> None:
        super().__init__(f"line {line}: {problem}")
        self.problem = problem
        self.line = line


@attrs.frozen(kw_only=True)
class Journal:
    """A run as its journal tells it."""

    header: Header
    checks: tuple[CheckRecord, ...] = ()
    notes: tuple[Note, ...] = ()
    footer: Footer | None = None
    #: The last line was torn in the middle.
    torn: bool = False

    @property
    def truncated(self) -> bool:
        """True where the run never came to write its footer."""
        return self.footer is None

    @property
    def complete(self) -> bool:
        """True where the run came to its own end."""
        return self.footer is not None and not self.footer.interrupted


#: Fields of a header that hold our own law and nothing that was seen: a profile may be named
#: like a credential.
_LAW = frozenset({"clauses", "features", "profile_sentences"})


def encode(event: Event) -> str:
    """Return an event as one line, with its newline, free of secrets."""
    fields = attrs.asdict(event)
    seen = {name: value for name, value in fields.items() if name not in _LAW}
    law = {name: value for name, value in fields.items() if name in _LAW}
    line = {"event": _NAMES[type(event)], **redact.redact_value(seen), **law}
    text = json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Output of programs may hold bytes that are no UTF-8, decoded as lone surrogates.
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def decode(lines: Iterable[str]) -> Journal:
    """Read a journal from its lines; raises JournalError.

    Lines end at a line feed alone: a record may hold any other separator of Unicode.
    """
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise JournalError("the journal is empty", line=1)
    torn = len(numbered) > 1 and not _is_json(numbered[-1][1])
    events = [_event(number, line) for number, line in (numbered[:-1] if torn else numbered)]
    if not isinstance(events[0], Header):
        raise JournalError("a journal starts with its header", line=numbered[0][0])
    for (number, _), event in zip(numbered[1:], events[1:], strict=False):
        if isinstance(event, Header):
            raise JournalError("a second header; a journal holds one run", line=number)
    footers = [event for event in events if isinstance(event, Footer)]
    return Journal(
        header=events[0],
        checks=tuple(event for event in events if isinstance(event, CheckRecord)),
        notes=tuple(event for event in events if isinstance(event, Note)),
        footer=footers[-1] if footers else None,
        torn=torn,
    )


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _event(number: int, line: str) -> Event:
    try:
        fields: Any = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"no JSON ({error})", line=number) from error
    if not isinstance(fields, dict) or "event" not in fields:
        raise JournalError("expected an object with the field 'event'", line=number)
    return _build(number, cast("Fields", fields))


def _build(number: int, fields: Fields) -> Event:
    name = fields.pop("event")
    build = _BUILDERS.get(name) if isinstance(name, str) else None
    if build is None:
        raise JournalError(f"unknown event {name!r}", line=number)
    version = fields.get("format_version", FORMAT_VERSION)
    if name == "header" and version != FORMAT_VERSION:
        problem = f"format version {version!r}; this version of the tool reads {FORMAT_VERSION}"
        raise JournalError(problem, line=number)
    try:
        return build(fields)
    except (TypeError, ValueError, AttributeError) as error:
        # attrs gives (sentence, attribute, validator, value) to what it raises.
        sentence = str(error.args[0]) if error.args else type(error).__name__
        problem = f"a {name} event of the wrong shape ({sentence})"
        raise JournalError(problem, line=number) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _header(fields: Fields) -> Header:
    clauses = [Clause(**clause) for clause in fields.pop("clauses", ())]
    return Header(target=Target(**fields.pop("target", {})), clauses=clauses, **fields)


def _check(fields: Fields) -> CheckRecord:
    exhibits = [Exhibit(**exhibit) for exhibit in fields.pop("exhibits", ())]
    return CheckRecord(exhibits=exhibits, **fields)


def _note(fields: Fields) -> Note:
    return Note(**fields)


def _footer(fields: Fields) -> Footer:
    return Footer(**fields)


#: How each kind of event is called in a journal, and how it is read back.
_NAMES: dict[type[Event], str] = {
    Header: "header",
    CheckRecord: "check",
    Note: "note",
    Footer: "footer",
}
_BUILDERS: dict[str, Callable[[Fields], Event]] = {
    "header": _header,
    "check": _check,
    "note": _note,
    "footer": _footer,
}
