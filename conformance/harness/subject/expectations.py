"""What is expected of a driver over more than one of its answers."""

from __future__ import annotations

from conformance.harness import expect
from conformance.harness.errors import Undecided
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life, Use
from conformance.kube.objects import Object

#: How many further claims are tried until one gets a device that was used before.
_TRIES = 8

_ENTRY = "NodePrepareResourcesResponse.claims[]"


def consistent(answer: Answer | None, claim: Object) -> None:
    """Expect devices of this claim, or an error; None is an answer that was not seen."""
    if answer is None:
        return
    expect.that(
        bool(answer.devices) != bool(answer.error),
        "prepared devices or an error",
        path=_ENTRY,
        observed=f"{len(answer.devices)} devices, error {answer.error!r}",
    )
    allocated = inventory.names_of(claim)
    strangers = {(one.pool, one.name) for one in answer.devices} - allocated
    expect.same(sorted(strangers), [], path=f"{_ENTRY}.devices[]", hint="the allocated devices")


def used_again(life: Life) -> None:
    """Expect that devices which one claim had serve another; ``Undecided`` if none came.

    They are all devices of a node if one claim can have them, else one. A scheduler is free
    to choose others first: what it chose is kept until it comes round.
    """
    first = life.widest("first")
    wanted = inventory.names_of(life.given_back(first))
    for number in range(_TRIES):
        name = f"again-{number}"
        again = life.running(Use(pod=name, claim=name, node=first.node))
        if inventory.names_of(again) & wanted:
            return
    raise Undecided(f"{_TRIES} further claims were allocated other devices than {sorted(wanted)}")
