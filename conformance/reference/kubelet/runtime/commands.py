"""The commands that the runtime understands, since it starts no process.

A container ends at once (``true``, ``false``, ``exit N``), after a time (``sleep N``) or
never (everything else). A script that carries the marker of the report probe prints what it
would see in a real container; ``fixtures/probes/report.sh`` is that script.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

import attrs

from conformance.kube.objects import Object

#: The line by which a probe script is recognised, and the variable that says how long it stays.
REPORT_MARKER = "# dra-conformance-probe: report"
SLEEP_VARIABLE = "PROBE_SLEEP"

_SHELLS = {"sh", "/bin/sh", "bash", "/bin/bash"}


@attrs.frozen(kw_only=True)
class Plan:
    """How a container goes on: ``seconds`` until its end (``None``: never), and with what."""

    seconds: float | None
    exit_code: int = 0
    reports: bool = False


_FOREVER = Plan(seconds=None)


def plan_of(container: Object, environment: Mapping[str, str]) -> Plan:
    """Return what the command of a container comes to."""
    words = [*(container.get("command") or []), *(container.get("args") or [])]
    if len(words) >= 3 and words[0] in _SHELLS and words[1] == "-c":
        return _script(words[2], environment)
    return _words(words)


def _script(script: str, environment: Mapping[str, str]) -> Plan:
    lines = [line.strip() for line in script.splitlines()]
    if REPORT_MARKER in lines:
        stay = environment.get(SLEEP_VARIABLE, "")
        return Plan(seconds=float(stay) if stay.isdigit() else 0.0, reports=True)
    if len([line for line in lines if line]) != 1:
        return _FOREVER
    try:
        return _words(shlex.split(script))
    except ValueError:
        return _FOREVER


def _words(words: list[str]) -> Plan:
    match words:
        case ["true"] | ["/bin/true"]:
            return Plan(seconds=0.0)
        case ["false"] | ["/bin/false"]:
            return Plan(seconds=0.0, exit_code=1)
        case ["exit", code] if code.isdigit():
            return Plan(seconds=0.0, exit_code=int(code) % 256)
        case ["sleep" | "/bin/sleep", seconds] if re.fullmatch(r"\d+(\.\d+)?", seconds):
            return Plan(seconds=float(seconds))
        case _:
            return _FOREVER
