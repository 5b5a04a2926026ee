"""A consumer of device metadata, asked over a stream.

The contract of ``--consumer-command``: the program reads a stream of JSON objects from its
standard input, as it would from a metadata file; it prints the object that it decoded as one
JSON document to its standard output, and ends with 0. For an error it ends with another code.
What it has to say of an object that it decoded and finds invalid goes to its standard error.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any, Protocol

import attrs

from conformance.harness.errors import HarnessError
from conformance.harness.programs import words
from conformance.kube.objects import Object

OPTION = "--consumer-command"

#: Seconds that a program may take for one stream.
_SECONDS = 30.0


@attrs.frozen(kw_only=True)
class Answer:
    """What a consumer made of a stream: an object, or an error, or both."""

    object: Object | None = None
    #: Why it failed; empty where it did not.
    error: str = ""


class Consumer(Protocol):
    """Whoever reads metadata."""

    def read(self, stream: str) -> Answer:
        """Return what it makes of a stream; raises ``HarnessError``."""
        ...


class CommandConsumer:
    """A program that is started for each stream."""

    def __init__(self, command: str) -> None:
        """Take a command; raises ``TargetMisconfigured`` for one that can't be run."""
        self._words = words.split(command, OPTION)

    def read(self, stream: str) -> Answer:
        """Start the program, let it read the stream, and return what it printed."""
        try:
            done = subprocess.run(  # noqa: S603 - given for this purpose on our own command line
                self._words,
                input=stream,
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
            raise HarnessError(f"{OPTION}: {error}") from error
        said = words.last_line(done.stderr) or f"it ended with {done.returncode}"
        return Answer(object=_object(done.stdout), error=said if done.returncode else "")


def _object(text: str) -> Object | None:
    """Return what was printed, None where that is no JSON object."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
