"""The driver command as the vendor writes it, with placeholders for what we choose."""

from __future__ import annotations

import difflib
import shlex
import shutil
import string
from collections.abc import Mapping
from pathlib import Path

import attrs

#: The driver is not asked there.
NO_PORT = -1


class CommandError(ValueError):
    """The driver command can't be started as it is written."""


@attrs.frozen(kw_only=True)
class Surroundings:
    """What a driver on a node must be told: the values of the placeholders."""

    node_name: str
    kubeconfig: Path
    plugins_dir: Path
    registrar_dir: Path
    cdi_dir: Path
    #: Tells instances of the driver apart during a rolling update, as the uid of a Pod does.
    pod_uid: str = "6d1cbf8e-0c5b-4d0e-9d0f-000000000001"
    #: Tells copies of the driver apart that run at one time, each in surroundings of its own.
    instance: int = 0
    #: Where its gRPC health service is probed.
    healthcheck_port: int = NO_PORT
    #: Where it tells its metrics.
    metrics_port: int = NO_PORT

    def placeholders(self) -> Mapping[str, str]:
        """Return the values by placeholder, as text."""
        return {field.name: str(getattr(self, field.name)) for field in attrs.fields(type(self))}

    def environment(self) -> Mapping[str, str]:
        """Return the same values as environment variables, such as ``NODE_NAME``."""
        return {name.upper(): value for name, value in self.placeholders().items()}


PLACEHOLDERS = tuple(field.name for field in attrs.fields(Surroundings))


def check(command: str) -> None:
    """Find the mistakes of a command that can be found without starting it.

    Raises ``CommandError`` with one sentence: unbalanced quotes, an unknown placeholder, a
    program that does not exist or can't be executed.
    """
    words = _split(command)
    for word in words:
        for name in _names(word):
            if name not in PLACEHOLDERS:
                close = difflib.get_close_matches(name, PLACEHOLDERS, n=1)
                hint = f"; did you mean {{{close[0]}}}?" if close else ""
                known = ", ".join(f"{{{one}}}" for one in PLACEHOLDERS)
                raise CommandError(
                    f"the driver command has an unknown placeholder {{{name}}}{hint} "
                    f"(known: {known})"
                )
    if "{" not in words[0] and shutil.which(words[0]) is None:
        raise CommandError(f"the driver command can't be started: no program {words[0]!r}")


def fill(command: str, surroundings: Surroundings) -> list[str]:
    """Return the words of ``command`` with every placeholder replaced.

    The command is split before it is filled, so that a value with spaces stays one word.
    Raises ``CommandError`` as ``check`` does.
    """
    check(command)
    values = surroundings.placeholders()
    return [word.format_map(values) if _names(word) else word for word in _split(command)]


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"the driver command can't be read as a shell would: {error}") from error
    if not words:
        raise CommandError("the driver command is empty")
    return words


def _names(word: str) -> list[str]:
    """Return the placeholders in one word; braces that hold none (JSON) are left alone."""
    try:
        fields = [name for _, name, _, _ in string.Formatter().parse(word) if name is not None]
    except ValueError:
        return []
    return fields if all(name.isidentifier() for name in fields) else []
