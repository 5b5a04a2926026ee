"""What a command says: data to stdout, words for people to stderr, whoever still listens.

A reader that went away (``| head``) ends nothing: documents are still written and the exit
code is still the verdict's. A stdout that cannot be written is told on stderr.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import TextIO

import click

from conformance.cli.exits import ExitCode, Refusal


def data(text: str) -> None:
    """Print a line of data; raises ``Refusal`` where stdout cannot be written."""
    try:
        click.echo(text)
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        reason = error.strerror or str(error)
        raise Refusal(ExitCode.INCOMPLETE, f"standard output can't be written: {reason}") from error


def words(text: str) -> None:
    """Print a line for people; where nobody can read it, that is that."""
    try:
        click.echo(f"dra-conformance: {text}", err=True)
    except OSError:
        silence(sys.stderr)


def ready() -> None:
    """Give a program that was started without standard streams some that lead nowhere.

    Else the next file or socket that is opened would take their place.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # Python leaves a stream out where it found its file closed.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


class Words(io.TextIOBase):
    """A stream for words: what it is given goes to stderr, as long as somebody reads."""

    def write(self, text: str, /) -> int:
        """Pass the text on, or drop it."""
        try:
            return sys.stderr.write(text)
        except OSError:
            silence(sys.stderr)
            return len(text)

    def flush(self) -> None:
        """Pass on what is held back, or drop it."""
        try:
            sys.stderr.flush()
        except OSError:
            silence(sys.stderr)

    def isatty(self) -> bool:
        """Say whether a person sees it, so that nothing else gets colours."""
        return sys.stderr.isatty()

    def fileno(self) -> int:
        """Return the file of stderr."""
        return sys.stderr.fileno()

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]  # read only
        """How stderr spells text."""
        return sys.stderr.encoding


def silence(stream: TextIO) -> None:
    """Let a stream that cannot be written swallow what still comes, up to the exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
