"""Tokens that others have replaced: they count for a while beside their successors, then no more.

In a real cluster a token ends with its time. Nobody waits so long here: the end comes on request,
and what is answered afterwards is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs


@attrs.define(kw_only=True)
class Turn:
    """One token in the place of another: both count, until the old one has ended."""

    old: str
    new: str
    #: How often somebody has asked with the new one.
    used: int = 0
    #: How often somebody has asked with the old one since it has ended.
    refused: int = 0
    ended: bool = False

    def end(self) -> None:
        """Let the old token be refused from now on."""
        self.ended = True


class Rotation:
    """Every token that was replaced at one server."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    def begin(self, old: str, new: str) -> Turn:
        """Let a token take the place of another, and return what becomes of both."""
        turn = Turn(old=old, new=new)
        self._turns.append(turn)
        return turn

    def shown(self, token: str) -> bool:
        """Return whether a token has not ended early; whoever shows it is counted."""
        for turn in self._of(token):
            if token == turn.new:
                turn.used += 1
            elif turn.ended:
                turn.refused += 1
                return False
        return True

    def _of(self, token: str) -> Iterator[Turn]:
        return (turn for turn in self._turns if token in (turn.old, turn.new))
