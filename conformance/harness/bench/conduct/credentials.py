"""The token of a driver is replaced while it runs, as that of every Pod is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from conformance.harness import expect
from conformance.harness.bench import publication
from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided, Violation
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Rotation
from conformance.kube.objects import Object

#: What whoever reads of a failure may try.
_HINT = (
    "a client that reads the tokenFile of {kubeconfig} again, as client-go does every minute; "
    "a command that copies the token out of it keeps the old one"
)


def at_rest(bench: Bench) -> Inventory:
    """Stand on a driver that prepares claims and has published: its slices, or ``Undecided``."""
    bench.driver.must_be_ours("replaces the driver's token in the place of its kubelet")
    life = Life(bench.world, bench.driver)
    before = publication.at_rest(life)
    publication.let_lie(life)
    bench.settled()
    return before


@contextlib.contextmanager
def replaced(bench: Bench) -> Iterator[Rotation]:
    """Replace the driver's token; yield once the old one has ended.

    A driver that is not found well then is started again: other checks must not suffer for it.
    """
    turn = _turned(bench)
    try:
        yield turn
    except (Violation, Undecided):
        with contextlib.suppress(Undecided):
            bench.restart("terminate")
        raise


def _turned(bench: Bench) -> Rotation:
    """Replace the driver's token, and let the old one end.

    Both count for a while, as in a Pod: until the driver has used the new one, or its time is up.
    A kubelet asks for a claim ever again meanwhile, so that the driver has something to ask for.
    """
    claim = bench.simple("meanwhile")
    turn = bench.driver.rotate_token()

    def used() -> bool:
        bench.refusal(claim)
        return turn.used > 0

    with contextlib.suppress(Violation, Undecided):
        _until(bench, "the driver uses its new token", used, bound="token-replaced")
    turn.end()
    with contextlib.suppress(Violation):
        bench.unprepare(claim)
    bench.delete(claim)
    return turn


def prepares(bench: Bench, claim: Object, turn: Rotation) -> None:
    """Wait until the driver prepares a claim; raises ``Violation``."""

    def look() -> bool:
        expect.same(bench.refusal(claim), "", path="NodePrepareResourcesResponse.claims[].error")
        return True

    with _told(turn):
        _until(bench, "the claim is prepared", look, bound="driver-recovers")


def publishes(bench: Bench, before: Inventory, turn: Rotation) -> None:
    """Delete a slice and wait until it is published again; raises ``Violation``.

    Raises ``Undecided`` for a driver that does not come with its old token: that it does not
    publish what is gone has another reason, and another requirement.
    """
    life, came = Life(bench.world, bench.driver), turn.refused
    with publication.restored(life, before):
        publication.lose_one(life)
        try:
            with _told(turn):
                _until(
                    bench,
                    "the deleted slice is published again",
                    lambda: publication.same_content(bench.world, bench.driver, before),
                    bound="slice-published",
                )
        except Violation as violation:
            if turn.refused > came or bench.driver.ended():
                raise
            raise Undecided(
                "not judged, since the driver does not publish a deleted slice again, and has not "
                "asked with its old token"
            ) from violation


@contextlib.contextmanager
def _told(turn: Rotation) -> Iterator[None]:
    """Say of a failure how often the old token came, and what may be tried."""
    try:
        yield
    except Violation as violation:
        came = f"the old token, which has ended, was shown {turn.refused} times"
        observed = f"{violation.observed}; {came}"
        raise Violation(
            violation.expected, path=violation.path, observed=observed, hint=_HINT
        ) from violation


def _until(bench: Bench, what: str, look: Callable[[], Any], *, bound: str) -> None:
    bench.steps.in_its_time(what, look, bound=bound)
