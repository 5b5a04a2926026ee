"""A component of Kubernetes, started with feature gates to see whether it starts.

The contract of ``--component-command``: the command starts a component, with ``{gates}``
where the value of ``--feature-gates`` belongs. A component that takes the gates runs on; it
may wait for what it can't reach (an API server without etcd does). One that refuses them ends
by itself, with a code other than 0. What it prints is told as evidence and never judged.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Mapping
from typing import IO, Protocol

from conformance.harness.errors import HarnessError, TargetMisconfigured, Undecided
from conformance.harness.programs import words

OPTION = "--component-command"
PLACEHOLDER = "{gates}"

#: Seconds for which a component must run to count as started: a refusal takes a fraction.
_STARTED = 6.0

#: Seconds that it may take to end when asked to.
_GRACE = 10.0


class Component(Protocol):
    """Whoever can be started with gates."""

    def refusal(self, gates: Mapping[str, bool]) -> str:
        """Return what it said when it refused the gates, empty where it started.

        Raises ``Unsupported`` where it can't be started at all, ``HarnessError``.
        """
        ...


def starts(component: Component, gates: Mapping[str, bool]) -> None:
    """Stand on a component that starts with these gates; raises ``Undecided``."""
    said = component.refusal(gates)
    if said:
        raise Undecided(f"not judged, since the component does not start at all: {said}")


class CommandComponent:
    """A program that is started for each question, and ended when it has started."""

    def __init__(self, command: str) -> None:
        """Take a command; raises ``TargetMisconfigured`` for one that can't be run."""
        if PLACEHOLDER not in command:
            raise TargetMisconfigured(f"{OPTION} must say where the gates go: {PLACEHOLDER}")
        self._words = words.split(command, OPTION)

    def refusal(self, gates: Mapping[str, bool]) -> str:
        """Start the program with these gates; return its last words if it ended by itself."""
        given = ",".join(f"{name}={str(on).lower()}" for name, on in sorted(gates.items()))
        command = [word.replace(PLACEHOLDER, given) for word in self._words]
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            code = _ended(command, output)
            output.seek(0)
            last = words.last_line(output.read())
        return "" if code is None else f"{last or 'nothing'} (it ended with {code})"


def _ended(command: list[str], output: IO[str]) -> int | None:
    """Return the code with which a program ended by itself, None where it runs on."""
    try:
        child = subprocess.Popen(  # noqa: S603 - given for this purpose on our own command line
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    except OSError as error:
        raise HarnessError(f"{OPTION}: {error}") from error
    try:
        return child.wait(_STARTED)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_GRACE)
    child.kill()
    child.wait()
