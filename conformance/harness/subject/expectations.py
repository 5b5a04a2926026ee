"""What is expected of a driver over more than one of its answers, Pods or containers."""

from __future__ import annotations

from conformance.harness import expect
from conformance.harness.errors import Undecided, Violation
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.observe import probe
from conformance.harness.subject import inventory, looking
from conformance.harness.subject.life import Life, Use
from conformance.kube.objects import Object

#: How many further claims are tried until one gets a device that was used before.
_TRIES = 8

_ENTRY = "NodePrepareResourcesResponse.claims[]"

#: A Pod like that of a use, but without a claim.
_PLAIN = "plain"

_PLACE = "the container's surroundings"


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


def comes_with_the_claim(life: Life, use: Use) -> frozenset[str]:
    """Return what a container sees that it lacks without the claim; raises ``Violation``."""
    node = life.world.pods.get(use.pod)["spec"]["nodeName"]
    life.without(_PLAIN, node)
    with_claim = probe.first(life.world, use.pod)
    without = probe.first(life.world, _PLAIN)
    found = with_claim.visible - without.visible
    expect.that(
        bool(found),
        "a variable, a device node or a mount that comes with the claim",
        path=_PLACE,
        observed=sorted(with_claim.visible),
    )
    return found


def gained(life: Life, use: Use) -> frozenset[str]:
    """Stand on a Pod whose container gained something by its claim, or raise ``Undecided``."""
    life.taken(use)
    try:
        return comes_with_the_claim(life, use)
    except Violation as violation:
        raise Undecided(f"not judged, since nothing comes with a claim: {violation}") from violation


def join(life: Life, use: Use, pod: str) -> None:
    """Create another Pod that uses the claim, in an init container and in two others."""
    life.world.apply("driver/joining_pod", pod=pod, claim=use.claim, probe=probe.command())


def leave(life: Life, pod: str) -> None:
    """Delete a Pod, and wait until it is gone; raises ``Violation``."""
    life.world.pods.delete(pod, grace=1)
    life.steps.until(f"Pod {pod} is gone", lambda: looking.gone(life.world, pod), bound="pod-gone")


def has(life: Life, pod: str, container: str, wanted: frozenset[str]) -> None:
    """Expect that a container starts and sees all of this; raises ``Violation``."""
    seen = probe.first(life.world, pod, container)
    expect.same(sorted(wanted - seen.visible), [], path=_PLACE, hint="all that comes with a claim")
