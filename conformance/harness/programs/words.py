"""The command of a program as a person writes it, and what is wrong with one."""

from __future__ import annotations

import shlex
import shutil

from conformance.harness.errors import TargetMisconfigured


def split(command: str, option: str) -> list[str]:
    """Return the words of a command; raises ``TargetMisconfigured`` for one that can't be run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TargetMisconfigured(f"{option} can't be read as a shell would: {error}") from error
    if not words:
        raise TargetMisconfigured(f"{option} is empty")
    if shutil.which(words[0]) is None:
        raise TargetMisconfigured(f"{option} can't be started: no program {words[0]!r}")
    return words


def last_line(output: str) -> str:
    """Return the last line that a program wrote, shortened; empty where it wrote none."""
    lines = output.strip().splitlines()
    return lines[-1][:_LINE] if lines else ""


#: Longest part of a line that is kept, in characters.
_LINE = 300
