"""Upstream's allocator: what it answers to scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from conformance.tests.differential.conversation import Conversation, conversing
from conformance.tests.differential.scenario import Answer, Scenario, question, theirs


class Oracle:
    """Answers scenarios, one after the other."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def ask(self, scenario: Scenario) -> Answer:
        return theirs(self._conversation.say(question(scenario)))


@contextmanager
def running() -> Iterator[Oracle]:
    """Start the oracle; built when missing; raises what ``build.binary`` raises."""
    with conversing() as conversation:
        yield Oracle(conversation)
