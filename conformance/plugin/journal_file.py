"""The journal as a file: append one event at a time, and read it back.

One process writes: with several workers it is the controller. Every event is on the disk
before the next check starts, so that a crash, a kill or a full disk loses at most the event
that was being written.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from conformance.evidence import journal
from conformance.evidence.record import Event


class JournalFileError(Exception):
    """The journal cannot be written or read; one sentence for the person."""


class JournalFile:
    """A journal that is being written; a context manager, or close it."""

    def __init__(self, path: Path) -> None:
        """Start a new journal at ``path``; raises JournalFileError.

        The folder is made where it is missing. An older journal there is replaced: a
        journal holds one run.
        """
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, flags, 0o644)
        except OSError as error:
            raise JournalFileError(_sentence("written", path, error)) from error
        self._is_open = True

    def append(self, event: Event) -> None:
        """Write one event, and return when the disk has it; raises JournalFileError.

        An event that did not fit is taken back, so that a shorter one may still follow.
        """
        data = journal.encode(event).encode()
        size = os.fstat(self._descriptor).st_size
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
            os.fsync(self._descriptor)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, size)
            raise JournalFileError(_sentence("written", self.path, error)) from error

    def close(self) -> None:
        """Close the file; a second time is fine."""
        if self._is_open:
            self._is_open = False
            os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def load(path: Path) -> journal.Journal:
    """Read a journal; raises JournalFileError for a file that is none."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise JournalFileError(_sentence("read", path, error)) from error
    try:
        return journal.decode(text.split("\n"))
    except journal.JournalError as error:
        raise JournalFileError(f"{path} is no journal: {error}") from error


def _sentence(verb: str, path: Path, error: OSError) -> str:
    return f"the journal {path} cannot be {verb}: {error.strerror or error}"
