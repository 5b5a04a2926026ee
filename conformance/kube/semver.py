"""Semantic versions 2.0.0, strictly as the API server parses version attributes."""

from __future__ import annotations

import re
from functools import total_ordering

import attrs

_NUMBER = r"(0|[1-9]\d*)"
_PRE = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
_SHAPE = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PRE}(?:\.{_PRE})*))?"
    r"(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)


class SemverError(ValueError):
    """A text is no semantic version."""


@total_ordering
@attrs.frozen(eq=False)
class Version:
    """Three numbers, pre-release identifiers and build metadata."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    def _key(self) -> tuple[object, ...]:
        # Semver 2.0.0 §11: numbers before words, a release after its pre-releases.
        pre = tuple((0, int(one), "") if one.isdigit() else (1, 0, one) for one in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, pre)

    def __str__(self) -> str:
        """Return the text that spells the version."""
        pre = f"-{'.'.join(self.pre)}" if self.pre else ""
        build = f"+{'.'.join(self.build)}" if self.build else ""
        return f"{self.major}.{self.minor}.{self.patch}{pre}{build}"

    def __eq__(self, other: object) -> bool:
        """Compare precedence; build metadata does not count (§10)."""
        return isinstance(other, Version) and self._key() == other._key()

    def __lt__(self, other: Version) -> bool:
        """Compare precedence (§11)."""
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def parse(text: str) -> Version:
    """Return the version that a text spells; raises ``SemverError``."""
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise SemverError(f"{text!r} is not a semantic version")
    pre, build = shape.group(4), shape.group(5)
    return Version(
        int(shape.group(1)),
        int(shape.group(2)),
        int(shape.group(3)),
        tuple(pre.split(".")) if pre else (),
        tuple(build.split(".")) if build else (),
    )
