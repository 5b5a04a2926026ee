"""Upstream's compiler of device selectors: what it answers to questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.tests.differential.cel.question import Answer, Question, line, theirs
from conformance.tests.differential.conversation import Conversation, conversing


class Oracle:
    """Answers questions, one after the other."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def raw(self, asked: Question) -> dict[str, Any]:
        """Return the whole answer, with messages and costs."""
        return self._conversation.say(line(asked))

    def ask(self, asked: Question) -> Answer:
        return theirs(self.raw(asked))


@contextmanager
def running() -> Iterator[Oracle]:
    """Start the oracle; built when missing; raises what ``build.binary`` raises."""
    with conversing("selectors") as conversation:
        yield Oracle(conversation)
