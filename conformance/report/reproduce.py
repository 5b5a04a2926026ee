"""The command that judges one requirement again, the way this run judged it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

#: Options of the original command that would change what is judged, or overwrite what was
#: found. Each takes one value.
_REPLACED = frozenset(
    {"--only", "--skip", "--seed", "--out", "--as-in", "-n", "--numprocesses", "--instances"}
)

#: Those that take none.
_LEFT_OUT = frozenset({"--only-failed", "--watch", "--keep"})

#: Under pytest the options of the suite have a prefix of their own.
_PREFIX = "--dra-"
_REPLACED_OF_PYTEST = frozenset({"-n", "--numprocesses", "--alluredir", "--junitxml"}) | {
    f"{_PREFIX}{name}" for name in ("only", "skip", "seed", "journal")
}


def command_for(words: Sequence[str], requirement: str, *, seed: int | None) -> str:
    """Return a shell command that judges ``requirement`` alone, or nothing without a command.

    The seed is pinned, and the result goes to a folder that is named after the requirement.
    """
    if not words:
        return ""
    typed = tidy(words)
    if "pytest" in typed[:3]:
        repeated = [*_without(_REPLACED_OF_PYTEST, typed), f"{_PREFIX}only", requirement]
        return shlex.join(repeated if seed is None else [*repeated, f"{_PREFIX}seed", str(seed)])
    kept = [word for word in _without(_REPLACED, typed) if word not in _LEFT_OUT]
    repeated = [*kept, "--only", requirement]
    if seed is not None:
        repeated += ["--seed", str(seed)]
    if any(word == "--out" or word.startswith("--out=") for word in words):
        repeated += ["--out", f"report-{requirement}"]
    return shlex.join(repeated)


def tidy(words: Sequence[str]) -> list[str]:
    """Return a command with its program as one would type it, not where it lies."""
    if not words:
        return []
    program = PurePosixPath(words[0])
    if program.name == "__main__.py":
        return ["python", "-m", program.parent.name, *words[1:]]
    return [program.name, *words[1:]]


def _without(replaced: frozenset[str], words: Iterable[str]) -> list[str]:
    kept: list[str] = []
    remaining = iter(words)
    for word in remaining:
        name, equals, _ = word.partition("=")
        if name not in replaced:
            kept.append(word)
        elif not equals:
            next(remaining, None)
    return kept
