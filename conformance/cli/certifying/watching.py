"""Waiting for another build of the program that is judged."""

from __future__ import annotations

import shlex
import shutil
import time
from pathlib import Path

from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal

#: Seconds between two looks, and how long a file must be left alone to be complete.
_LOOK = 0.5


def program(command: str | None) -> Path:
    """Return the file that a driver command starts; raises ``Refusal`` where there is none."""
    if command is None:
        raise Refusal(ExitCode.USAGE, "--watch goes with --driver-command: it waits for a program")
    word = shlex.split(command)[0]
    found = shutil.which(word)
    if found is None:
        raise Refusal(ExitCode.USAGE, f"--watch: there is no program {word!r}")
    return Path(found)


def changed(path: Path, before: tuple[int, int]) -> None:
    """Return once the file is another one than before, and complete."""
    console.words(f"waiting for another {path} (Ctrl-C ends)")
    now = state(path)
    while True:
        time.sleep(_LOOK)
        then, now = now, state(path)
        if now == then and now not in {before, _ABSENT}:
            return


def state(path: Path) -> tuple[int, int]:
    """Return what tells one build from another: when it was written, and its size."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return _ABSENT
    return found.st_mtime_ns, found.st_size


_ABSENT = (0, -1)
