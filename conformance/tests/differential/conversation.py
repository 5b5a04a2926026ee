"""The oracle as a child process that answers line by line, whatever it is asked about."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.upstream import build


class Conversation:
    """Asks one line of JSON, and waits for the line that answers it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def say(self, line: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise AssertionError(f"the oracle ended with status {self._process.wait()}")
        return json.loads(answer)


@contextmanager
def conversing(*arguments: str) -> Iterator[Conversation]:
    """Start the oracle; built when missing; raises what ``build.binary`` raises."""
    with subprocess.Popen(
        [build.binary("oracle"), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Conversation(process)


def what_is_missing() -> str:
    """Return why the oracle cannot be asked here; empty where it can."""
    module = next(one for one in build.MODULES if one.name == "oracle")
    if module in build.missing() and shutil.which("go") is None:
        return "not run: the Go toolchain is missing, and oracle is not built yet"
    return ""
