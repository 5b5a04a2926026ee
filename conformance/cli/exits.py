"""How a command ends: the exit codes, and the refusal that carries one.

=====  ==============================================================
code   meaning
=====  ==============================================================
0      conformant, or the command did what it was asked
1      not conformant: at least one requirement failed
2      usage or configuration: the question was wrong
3      the target could not be asked
4      incomplete: interrupted, errored, or nothing could be decided
=====  ==============================================================
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """What a calling program learns from the exit status."""

    CONFORMANT = 0
    NOT_CONFORMANT = 1
    USAGE = 2
    UNREACHABLE = 3
    INCOMPLETE = 4


class Refusal(Exception):
    """A command ends here, with one sentence for the person and a code for the program."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the known word nearest to ``word``, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""
