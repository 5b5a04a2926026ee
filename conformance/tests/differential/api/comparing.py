"""The reference's answers, what differs from the recorded ones, and what is known to."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from pathlib import Path

import attrs
import yaml

from conformance.kube.objects import Object
from conformance.tests.differential.access import Access
from conformance.tests.differential.api.asking import Server, ask_all
from conformance.tests.reference.apiserver.rig import TOKEN, serving
from conformance.upstream.plan import GATES_OFF_BY_DEFAULT

_KNOWN = Path(__file__).with_name("known.yaml")


@attrs.frozen(kw_only=True)
class Known:
    """Divergences that are explained: the ids of writes that ``pattern`` matches whole."""

    pattern: str
    reason: str

    def covers(self, id_: str) -> bool:
        """Say whether the row is about a write."""
        return re.fullmatch(self.pattern, id_) is not None


def known() -> list[Known]:
    """Return the reasoned rows."""
    return [Known(**row) for row in yaml.safe_load(_KNOWN.read_text()) or []]


def ours(gates: str) -> dict[str, Object]:
    """Return the answers of the reference, in the form of a recording."""
    # A real 1.37.2 takes DRAFractionalCapacityRange as off until it is asked for.
    on = gates == "alpha"
    set_ = dict.fromkeys(GATES_OFF_BY_DEFAULT, on) if on else {"DRAFractionalCapacityRange": False}

    async def whole() -> dict[str, Object]:
        async with serving(set_, runtime_config={"api/all": True} if on else {}) as rig:
            return await asyncio.to_thread(_answers, rig.url, gates)

    return asyncio.run(whole())


def _answers(url: str, gates: str) -> dict[str, Object]:
    with closing(Server(Access(url=url, token=TOKEN))) as server:
        return {
            write.id: {"sent": write.digest(), **answer} for write, answer in ask_all(server, gates)
        }


def differences(one: dict[str, Object], other: dict[str, Object]) -> list[str]:
    """Return the ids of the writes that are answered differently."""
    return [key for key in one if one[key] != other.get(key)]
