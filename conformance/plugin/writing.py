"""The journal of a run, written by the one process that is not a worker."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Mapping

import attrs
import pytest

from conformance.catalogue.model import Catalogue
from conformance.evidence.record import CheckRecord, Event, Footer, Note
from conformance.evidence.verdict import Outcome
from conformance.harness.target import Description
from conformance.plugin import law
from conformance.plugin.journal_file import JournalFile, JournalFileError
from conformance.plugin.settings import Settings


@attrs.frozen(kw_only=True)
class Run:
    """What a journal needs to know of its run."""

    settings: Settings
    law: Catalogue
    description: Description
    selected: Collection[str]
    waived: Mapping[str, str]
    seed: int


class Writer:
    """Counts every record, and writes it where a journal is wanted."""

    def __init__(self, run: Run, *, writes: bool) -> None:
        """Prepare; the journal begins with the first event that is written."""
        self._run = run
        self._writes = writes
        self._file: JournalFile | None = None
        self._broken = False
        self.counts: Counter[Outcome] = Counter()

    def write(self, record: CheckRecord) -> None:
        """Append a record; a disk that is full ends the run."""
        if not self._writes:
            return
        self.counts[record.outcome] += 1
        self._append(record)
        self._note_waivers(record)

    def note(self, message: str) -> None:
        """Append a sentence that is no verdict."""
        if self._writes and not self._broken:
            self._append(Note(message=message))

    def finish(self, reason: str) -> None:
        """Append the footer, also to a run of which nothing else was written.

        ``reason`` says why the run did not come to its own end; empty where it did.
        """
        if not self._writes or self._broken:
            return
        with contextlib.suppress(pytest.exit.Exception):
            self._append(Footer(finished=law.now(), interrupted=bool(reason), reason=reason))
        if self._file is not None:
            self._file.close()

    def summary(self) -> str:
        """Return the counts in one line, worst first."""
        order = [one for one in Outcome if self.counts[one]]
        return ", ".join(f"{self.counts[one]} {one.value}" for one in order)

    def _append(self, event: Event) -> None:
        path = self._run.settings.journal
        if path is None:
            return
        try:
            if self._file is None:
                self._file = JournalFile(path)
                self._file.append(self._header())
            self._file.append(event)
        except JournalFileError as error:
            self._broken = True
            pytest.exit(str(error), returncode=4)

    def _header(self) -> Event:
        run = self._run
        return law.header(run.settings, run.description, run.law, run.selected, run.seed)

    def _note_waivers(self, record: CheckRecord) -> None:
        if record.outcome is not Outcome.PASSED:
            return
        for one in record.requirements:
            if one in self._run.waived:
                self._append(Note(message=f"{one} is waived, but {record.check} passed"))
