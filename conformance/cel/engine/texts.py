"""Texts: the strings and regular expressions of the library, and semantic versions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import re2

from conformance.cel.engine.values import fault
from conformance.cel.errors import EvaluationError
from conformance.kube import semver
from conformance.kube.semver import Version

_UPPER = str.maketrans({chr(one): chr(one).upper() for one in range(ord("a"), ord("z") + 1)})
_LOWER = str.maketrans({chr(one): chr(one).lower() for one in range(ord("A"), ord("Z") + 1)})
_SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
_SPACES = f"{_SPACE}\u200a\u2028\u2029\u202f\u205f\u3000"
_QUOTED = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}


@functools.lru_cache(maxsize=256)
def pattern(text: str) -> Any:
    """Return a regular expression; raises ``EvaluationError`` for one that is malformed.

    The syntax is RE2's, as it is Kubernetes', and matching takes linear time: a selector of
    somebody else must not keep whoever judges it busy.
    """
    options: Any = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        detail = error.args[0] if error.args else error
        said = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise EvaluationError(f"error parsing regexp: {said}") from error


def _within(index: int, text: str) -> int:
    if not 0 <= index <= len(text):
        raise fault(f"index out of range: {index}")
    return index


def _character(text: str, index: int) -> str:
    return text[_within(index, text) :][:1]


def _index(text: str, wanted: str, offset: int = 0) -> int:
    if offset < 0:
        raise fault(f"index out of range: {offset}")
    if not wanted:
        return min(offset, len(text))
    return text.find(wanted, offset) if offset < len(text) else -1


def _last_index(text: str, wanted: str) -> int:
    if not wanted:
        return len(text)
    if len(text.encode()) < len(wanted.encode()):
        return -1
    return _last_index_from(text, wanted, len(text) - 1)


def _last_index_from(text: str, wanted: str, offset: int) -> int:
    if offset < 0:
        raise fault(f"index out of range: {offset}")
    if not wanted:
        return min(offset, len(text))
    if offset >= len(text):
        return -1
    return text.rfind(wanted, 0, offset + len(wanted))


def _substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    _within(start, text)
    if start > end:
        raise fault(f"invalid substring range. start: {start}, end: {end}")
    return text[start : _within(end, text)]


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    return text.replace(old, new, count if count >= 0 else -1)


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    letters = list(text)
    if 0 < count < len(letters):
        return [*letters[: count - 1], "".join(letters[count - 1 :])]
    return letters


def _join(parts: list[Any], separator: str = "") -> str:
    if not all(isinstance(one, str) for one in parts):
        raise fault()
    return separator.join(parts)


def _search(text: str, shape: str) -> Any:
    # Half a surrogate pair, which JSON may spell, is no text that can be searched.
    return pattern(shape).search(text.encode("utf-8", "replace").decode())


def _find(text: str, shape: str) -> str:
    found = _search(text, shape)
    return found[0] if found else ""


def _find_all(text: str, shape: str, count: int = -1) -> list[str]:
    found = [one[0] for one in pattern(shape).finditer(text.encode("utf-8", "replace").decode())]
    return found if count < 0 else found[:count]


def _normalized(text: str) -> str:
    """Remove a ``v`` and leading zeros, and fill up to three parts."""
    parts = [_trimmed(one) for one in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and any(mark in parts[-1] for mark in "+-"):
        raise fault("short version cannot contain PreRelease/Build meta data")
    return ".".join([*parts, "0", "0"][: max(3, len(parts))])


def _trimmed(part: str) -> str:
    if len(part) < 2:
        return part
    found = part.lstrip("0")
    return found if found[:1] in set("0123456789") - {""} and found else f"0{found}"


@functools.lru_cache(maxsize=4096)
def version(text: str, normalize: bool = False) -> Version:
    """Return the version that a text spells; raises ``EvaluationError``."""
    try:
        found = semver.parse(_normalized(text) if normalize else text)
    except semver.SemverError as error:
        raise EvaluationError(str(error)) from error
    numbers = [int(one) for one in found.pre if one.isdigit()]
    if any(one >= 2**64 for one in (found.major, found.minor, found.patch, *numbers)):
        raise fault("value out of range")
    return found


def _is_version(text: str, normalize: bool = False) -> bool:
    try:
        version(text, normalize)
    except EvaluationError:
        return False
    return True


def _quote(text: str) -> str:
    return f'"{"".join(_QUOTED.get(one, one) for one in text)}"'


def _order(left: Version, right: Version) -> int:
    return (left > right) - (left < right)


def _wrapped(value: int) -> int:
    """Return an unsigned number as Go converts it to a signed one."""
    return value - 2**64 if value >= 2**63 else value


_S, _V = "string", "kubernetes.Semver"

#: Functions for arguments of given kinds.
TYPED: dict[tuple[str, ...], Callable[..., Any]] = {
    ("startsWith", _S, _S): lambda text, one: text.startswith(one),
    ("endsWith", _S, _S): lambda text, one: text.endswith(one),
    ("contains", _S, _S): lambda text, one: one in text,
    ("matches", _S, _S): lambda text, one: _search(text, one) is not None,
    ("charAt", _S, "int"): _character,
    ("indexOf", _S, _S): _index,
    ("indexOf", _S, _S, "int"): _index,
    ("lastIndexOf", _S, _S): _last_index,
    ("lastIndexOf", _S, _S, "int"): _last_index_from,
    ("lowerAscii", _S): lambda text: text.translate(_LOWER),
    ("upperAscii", _S): lambda text: text.translate(_UPPER),
    ("replace", _S, _S, _S): _replace,
    ("replace", _S, _S, _S, "int"): _replace,
    ("split", _S, _S): _split,
    ("split", _S, _S, "int"): _split,
    ("substring", _S, "int"): _substring,
    ("substring", _S, "int", "int"): _substring,
    ("trim", _S): lambda text: text.strip(_SPACES),
    ("join", "list"): _join,
    ("join", "list", _S): _join,
    ("strings.quote", _S): _quote,
    ("find", _S, _S): _find,
    ("findAll", _S, _S): _find_all,
    ("findAll", _S, _S, "int"): _find_all,
    ("semver", _S): version,
    ("semver", _S, "bool"): version,
    ("isSemver", _S): _is_version,
    ("isSemver", _S, "bool"): _is_version,
    ("isGreaterThan", _V, _V): lambda one, two: one > two,
    ("isLessThan", _V, _V): lambda one, two: one < two,
    ("compareTo", _V, _V): _order,
    ("major", _V): lambda one: _wrapped(one.major),
    ("minor", _V): lambda one: _wrapped(one.minor),
    ("patch", _V): lambda one: _wrapped(one.patch),
}
