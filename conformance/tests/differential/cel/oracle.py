"""Upstream's compiler of device selectors, as a child process that answers line by line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.tests.differential.cel.question import Answer, Question, line, theirs
from conformance.upstream import build


class Oracle:
    """Answers questions, one after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def raw(self, asked: Question) -> dict[str, Any]:
        """Return the whole answer, with messages and costs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise AssertionError(f"the oracle ended with status {self._process.wait()}")
        return json.loads(answer)

    def ask(self, asked: Question) -> Answer:
        return theirs(self.raw(asked))


@contextmanager
def running() -> Iterator[Oracle]:
    """Start the oracle; built when missing; raises what ``build.binary`` raises."""
    with subprocess.Popen(
        [build.binary("oracle"), "selectors"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Oracle(process)
