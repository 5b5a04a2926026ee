"""Trouble at the API server while a driver publishes: given, and what the driver made of it."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.harness import expect
from conformance.harness.bench import publication
from conformance.harness.errors import Undecided, Unsupported
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life
from conformance.harness.targets.disturbance import ALL, WRITES, Disturbance
from conformance.kube.objects import Object
from conformance.trust.trouble import WATCHED, Trouble

#: A server that is away, and has forgotten what happened when it comes back.
AWAY = Trouble(verbs=ALL, broken=True)
FORGETFUL = Trouble(verbs=frozenset({"watch"}), code=410, times=1)

#: Seconds that a server is away.
_AWAY = 3.0

#: Seconds that a refusal asks a driver to wait.
RETRY_AFTER = 3

#: What a driver meets that writes a slice: refusals of the first two writes, and others.
OBSTACLES: Mapping[str, Trouble] = {
    "conflict": Trouble(verbs=WRITES, code=409, times=2),
    "too-many-requests": Trouble(verbs=WRITES, code=429, retry_after=1, times=2),
    "internal-error": Trouble(verbs=WRITES, code=500, times=2),
    "unavailable": Trouble(verbs=WRITES, code=503, times=2),
    "slow": Trouble(verbs=WRITES, delay=1.0),
    "broken-connections": Trouble(verbs=WRITES, broken=True, times=2),
    "token-refused": Trouble(verbs=WRITES, code=401, times=2),
}

#: One write that has to wait, and writes that never succeed.
BUSY = Trouble(verbs=WRITES, code=429, retry_after=RETRY_AFTER, times=1)
BROKEN = Trouble(verbs=WRITES, code=500)

#: No slice can be written as long as it lasts.
UNWRITTEN = Trouble(verbs=WRITES, code=503)

#: Fields of devices and slices that exist while a feature gate is on.
GATED = frozenset(
    {
        "taints",
        "bindsToNode",
        "bindingConditions",
        "bindingFailureConditions",
        "consumesCounters",
        "sharedCounters",
        "allowMultipleAllocations",
        "nodeAllocatableResources",
        "partitionTypeAttribute",
    }
)

#: Codes of what no repetition makes right.
INVALID = frozenset({400, 422})

#: So many writes are no storm: some drivers write every slice, and try once again.
FEW = 25


@contextlib.contextmanager
def missed(life: Life, before: Inventory) -> Iterator[None]:
    """Let a slice of the driver be deleted while the API server is away."""
    life.driver.must_be_ours("deletes a slice of the driver")
    publication.let_lie(life)
    with publication.restored(life, before), _disturbed(life, FORGETFUL):
        with _disturbed(life, AWAY) as away:
            away.cut_watches()
            publication.lose_one(life)
            life.world.patience.elapse(_AWAY)
        yield


@contextlib.contextmanager
def started(life: Life, before: Inventory, trouble: Trouble) -> Iterator[Disturbance]:
    """Let the driver start with a slice to write, and meet trouble from then on.

    Libraries wait before they put right what others did; what is missing at a start they write
    at once.
    """
    life.driver.must_be_ours("restarts the driver")
    with publication.restored(life, before):
        life.driver.terminate()
        publication.lose_one(life)
        with _disturbed(life, trouble) as met:
            life.driver.start()
            yield met


def watched(life: Life) -> contextlib.AbstractContextManager[Disturbance]:
    """See what the driver asks for a while."""
    return _disturbed(life, WATCHED)


def without_gated(before: Inventory) -> Trouble:
    """Return the server's habit to drop fields of gates; raises ``Unsupported`` without any."""
    held = {name for one in before.slices for name in _names(one["spec"])} & GATED
    if not held:
        raise Unsupported("the check drops fields of feature gates, and the driver publishes none")
    return Trouble(verbs=WRITES, dropped=frozenset(held))


def writes(met: Disturbance) -> list[int]:
    """Return the code of every write of the driver."""
    return [one.code for one in met.requests() if one.verb in WRITES]


def written(met: Disturbance) -> list[int]:
    """Stand on a driver that writes: the code of every write, or ``Undecided``."""
    found = writes(met)
    if not found:
        raise Undecided("not judged, since the driver wrote no ResourceSlice meanwhile")
    return found


def few(codes: list[int]) -> None:
    """Expect no more writes than of a driver that pauses after a failure."""
    expect.that(len(codes) <= FEW, f"at most {FEW} writes of ResourceSlices", observed=len(codes))


def pause(met: Disturbance) -> float:
    """Return the seconds from a refusal to the next write; raises ``Undecided`` without both."""
    found = [one for one in met.requests() if one.verb in WRITES]
    for first, second in itertools.pairwise(found):
        if first.code == BUSY.code:
            return second.at - first.at
    raise Undecided("not judged, since no write of the driver was refused and followed by another")


def _disturbed(life: Life, trouble: Trouble) -> contextlib.AbstractContextManager[Disturbance]:
    return life.world.cluster.disturbed(life.driver.name, trouble)


def _names(spec: Object) -> Sequence[str]:
    devices: list[Any] = spec.get("devices") or []
    return [*spec, *(name for one in devices for name in one)]
