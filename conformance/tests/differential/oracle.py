"""Upstream's allocator, as a child process that answers line by line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from conformance.tests.differential.scenario import Answer, Scenario, question, theirs
from conformance.upstream import build


class Oracle:
    """Answers scenarios, one after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, scenario: Scenario) -> Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(question(scenario) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"the oracle ended with status {self._process.wait()}")
        return theirs(json.loads(line))


@contextmanager
def running() -> Iterator[Oracle]:
    """Start the oracle; built when missing; raises what ``build.binary`` raises."""
    with subprocess.Popen(
        [build.binary("oracle")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Oracle(process)
