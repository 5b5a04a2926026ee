"""What ``run`` and ``certify`` have in common: options, and how they reach the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from conformance.cli.exits import ExitCode, Refusal
from conformance.harness.errors import TargetMisconfigured
from conformance.harness.targets.opening import TargetOptions, check_programs
from conformance.plugin import settings

Command = TypeVar("Command", bound=Callable[..., Any])

#: Options about what is judged, how long is waited, and where the answer goes.
_COMMON = (
    click.option("--profile", "profiles", multiple=True, metavar="P", help="May be repeated."),
    click.option("--only", multiple=True, metavar="GLOB", help="Judge these ids alone."),
    click.option("--skip", multiple=True, metavar="GLOB", help="Leave these ids out."),
    click.option("--max-wait", default="60s", show_default=True, metavar="TIME",
                 help="Longest single wait on a live cluster; longer is inconclusive."),
    click.option("--waivers", type=click.Path(path_type=Path), metavar="FILE",
                 help="Known failures, each with a reason and a date."),
    click.option("--seed", type=int, metavar="N", help="Order of the checks, to repeat a run."),
    click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True,
                 metavar="DIR", help="Folder for journal and reports; older ones are replaced."),
    click.option("--alluredir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
                 help="Write Allure results as well."),
)  # fmt: skip


def common(command: Command) -> Command:
    """Add the common options to a command."""
    for option in reversed(_COMMON):
        command = option(command)
    return command


def gates(text: str) -> dict[str, bool]:
    """Return the gates of ``A=true,B=false``; raises ``Refusal``."""
    return _understood(settings.gates, text)


def seconds(text: str | None, name: str) -> float | None:
    """Return the seconds of a duration such as ``60s``; raises ``Refusal``."""
    return None if text is None else _understood(settings.duration, text, name)


def roots(values: Iterable[str]) -> Any:
    """Return the kubelet directories of ``NAME=DIR`` options; raises ``Refusal``."""
    return _understood(settings.roots, list(values))


def urls(values: Iterable[str]) -> dict[str, str]:
    """Return where components tell their metrics, of ``NAME=URL`` options; raises ``Refusal``."""
    return _understood(settings.metrics, list(values))


def programs(target: TargetOptions) -> None:
    """Raise ``Refusal`` for commands of a target's programs that can't be run."""
    _understood(check_programs, target)


def options(**values: Any) -> tuple[str, ...]:
    """Return options of the suite under pytest; None and empty ones are left out."""
    found: list[str] = []
    for name, value in values.items():
        flag = f"--dra-{name.replace('_', '-')}"
        if value is True:
            found.append(flag)
        elif isinstance(value, list | tuple):
            found += [f"{flag}={one}" for one in value]
        elif value not in (None, "", False):
            found.append(f"{flag}={value}")
    return tuple(found)


def allure(folder: Path | None) -> tuple[str, ...]:
    """Return the option of the Allure plugin, if its results are wanted."""
    return () if folder is None else (f"--alluredir={folder}",)


def _understood(read: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return read(*arguments)
    except TargetMisconfigured as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
