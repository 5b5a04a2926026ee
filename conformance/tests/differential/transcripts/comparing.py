"""The reference's part of each conversation, and what of it is known to differ."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import attrs
import yaml

from conformance.kube.objects import Object
from conformance.tests.differential.access import Access
from conformance.tests.differential.transcripts.playing import Player
from conformance.tests.differential.transcripts.script import Script
from conformance.tests.reference.apiserver.rig import TOKEN, serving
from conformance.upstream.plan import GATES_OFF_BY_DEFAULT

_KNOWN = Path(__file__).with_name("known.yaml")


@attrs.frozen(kw_only=True)
class Known:
    """Answers that differ, and why they stay so."""

    script: str
    #: Sentences of the steps.
    say: tuple[str, ...] = attrs.field(converter=tuple)
    reason: str


def known() -> list[Known]:
    """Return the reasoned rows."""
    return [Known(**row) for row in yaml.safe_load(_KNOWN.read_text()) or []]


def ours(script: Script) -> list[Object]:
    """Return the answers of the reference, in the form of a recording."""
    # A real 1.37.2 takes DRAFractionalCapacityRange as off until it is asked for.
    on = script.gates == "alpha"
    set_ = dict.fromkeys(GATES_OFF_BY_DEFAULT, on) if on else {"DRAFractionalCapacityRange": False}

    async def whole() -> list[Object]:
        loop = asyncio.get_running_loop()
        async with serving(set_, runtime_config={"api/all": True} if on else {}) as rig:

            def forget() -> None:
                done = asyncio.run_coroutine_threadsafe(_run(rig.store.compact), loop)
                done.result(10)

            player = Player(Access(url=rig.url, token=TOKEN), forget)
            return await asyncio.to_thread(player.play, script)

    return asyncio.run(whole())


def differences(one: list[Object], other: list[Object]) -> list[str]:
    """Return the sentences of the steps that are answered differently."""
    return [row["say"] for row, _ in pairs(one, other)]


def pairs(one: list[Object], other: list[Object]) -> list[tuple[Object, Object | None]]:
    """Return each answer that differs, with the other's to the same step; None: there is none."""
    answers = {row["say"]: row for row in other}
    both = ((row, answers.get(row["say"])) for row in one)
    return [(row, answer) for row, answer in both if row != answer]


async def _run(action: Callable[[], None]) -> None:
    action()
