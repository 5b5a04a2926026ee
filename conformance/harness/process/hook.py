"""What a vendor lets us do to the hardware: commands with a fixed contract.

A hook is started with the placeholders of the driver command in its words, and the same as
variables; on top of them it gets ``DRA_HOOK`` (its name), ``DRA_DRIVER_NAME``, and what its row
in ``HOOKS`` says. Exit code 0 is done, ``CANNOT`` means that it can't be done here, and anything
else is a failure of the hook, never one of the driver. What it prints is nothing or one JSON
object, which is evidence.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from typing import Any

import attrs

from conformance.harness.process.command import CommandError, Surroundings, fill

#: Every hook: what it does, and what it is told beyond the surroundings.
HOOKS: Mapping[str, str] = {
    "mock-inventory": "makes the devices that the driver finds, before it is first started",
    "change-inventory": "makes the inventory another one while the driver runs",
    "remove-device": "lets DRA_DEVICE be gone while the driver runs",
    "return-device": "lets DRA_DEVICE be there again",
    "mark-unhealthy": "makes DRA_DEVICE fail, with DRA_MESSAGE for people",
    "mark-healthy": "makes DRA_DEVICE well again",
    "prove-access": "uses DRA_DEVICES (a JSON list of pool/name) with the variables of their CDI "
    "edits set and all edits in DRA_EDITS (a JSON list of containerEdits); prints usable and why",
}

#: The exit code by which a hook says that it can't do here what it is for.
CANNOT = 3

#: Seconds that a hook has unless its row says otherwise.
PATIENCE = 30.0

#: Characters of a hook's last words that are told.
_WORDS = 200


class HookError(RuntimeError):
    """A hook did not do what it is for; says nothing about the driver."""


class HookUnable(HookError):
    """A hook says that it can't do here what it is for."""


@attrs.frozen(kw_only=True)
class Hook:
    """One command of a vendor, and how many seconds it has."""

    name: str
    command: str
    seconds: float = PATIENCE

    def run(self, surroundings: Surroundings, told: Mapping[str, str]) -> Any:
        """Run it and return the JSON object that it printed, empty for none.

        Raises ``HookError`` for a hook that fails, takes too long or prints anything else, and
        ``HookUnable`` where it says that it can't.
        """
        environment = {
            **os.environ,
            **surroundings.environment(),
            "DRA_HOOK": self.name,
            **told,
        }
        code, output, words = self._finished(fill(self.command, surroundings), environment)
        last = words.strip().rpartition("\n")[2][:_WORDS]
        if code == CANNOT:
            raise HookUnable(f"the hook {self.name} can't do so here: {last}")
        if code != 0:
            raise HookError(f"the hook {self.name} ended with code {code}, saying last {last!r}")
        return self._understood(output)

    def _finished(self, words: list[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
        try:
            process = subprocess.Popen(  # noqa: S603 - running it is the purpose
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        except OSError as error:
            raise CommandError(f"the hook {self.name} can't be started: {error}") from error
        with process:
            try:
                output, said = process.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired as error:
                os.killpg(process.pid, signal.SIGKILL)
                raise HookError(
                    f"the hook {self.name} has not ended within {self.seconds:g} s"
                ) from error
        return process.returncode, output, said or output

    def _understood(self, output: str) -> Any:
        if not output.strip():
            return {}
        try:
            found = json.loads(output)
        except ValueError as error:
            raise HookError(f"the hook {self.name} printed something that is no JSON") from error
        if not isinstance(found, dict):
            raise HookError(f"the hook {self.name} printed JSON that is no object")
        return found
