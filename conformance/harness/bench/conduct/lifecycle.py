"""What a driver meets between its start and its end: restarts, updates, absences, lack of room."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from conformance.harness import expect
from conformance.harness.bench import cdi, publication
from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.kubeletside import claims as calls
from conformance.harness.kubeletside import registration
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.kubeletside.registration import Registration
from conformance.harness.subject import inventory, looking
from conformance.harness.subject.life import Life, Use
from conformance.kube.objects import Object

#: Where the sockets lie on a node that is no test bed.
_PLUGINS = Path("/var/lib/kubelet/plugins")
_REGISTRAR = Path("/var/lib/kubelet/plugins_registry")

#: Real seconds in which a driver that is not paused would have answered.
_AT_ONCE = 1.0

#: Seconds after which a driver that has registered is done with its start.
_STARTED = 3.0

#: Seconds for which the API server is away.
_AWAY = 60.0

#: Real seconds in which a driver answers that goes on after a pause.
_SOON = 10.0

#: What a kubelet gives as its reason.
REASON = "dra-conformance refuses this registration"


def paths(bench: Bench) -> dict[str, int]:
    """Return the length in bytes of each socket's path as it is on an ordinary node."""
    found = bench.registration()
    folder = bench.access.plugins_dir
    endpoint = Path(found.endpoint)
    below = endpoint.relative_to(folder) if endpoint.is_relative_to(folder) else endpoint
    own = registration.sockets(folder / bench.driver.name)
    usual = {
        _REGISTRAR / found.socket.name,
        _PLUGINS / below,
        *(_PLUGINS / one.relative_to(folder) for one in own),
    }
    return {str(one): len(str(one).encode()) for one in sorted(usual)}


def both(bench: Bench, first: Registration) -> Registration:
    """Return the instance beside the first one, once it answers; raises ``Violation``."""

    def look() -> Registration:
        found = bench.instances()
        others = [one for one in found if one.socket != first.socket]
        same = [one for one in found if one.socket == first.socket]
        if not others or not same:
            raise Violation(
                "two instances, each with a registration socket of its own",
                path="the kubelet's plugin registration directory",
                observed=[one.socket.name for one in found],
            )
        return others[0]

    return bench.world.until("both instances answer", look, bound="plugin-registered")


@contextlib.contextmanager
def updating(bench: Bench) -> Iterator[tuple[Registration, Registration]]:
    """Stand on two instances, the old one and the new one, or raise ``Undecided``."""
    old = bench.registration()
    with bench.driver.second():
        try:
            new = both(bench, old)
        except Violation as violation:
            raise Undecided(f"not judged, since two instances can't be: {violation}") from violation
        yield old, new


def serves(found: Registration, claim: Object) -> None:
    """Expect that an instance prepares and undoes a claim; raises ``Violation``."""
    error = calls.prepare(found, claim).error or calls.unprepare(found, claim).error
    expect.same(error, "", path="claims[].error")


def served_again(bench: Bench, claim: Object) -> None:
    """Wait until the driver prepares a claim again; raises ``Violation``."""

    def look() -> bool:
        error = bench.refusal(claim)
        expect.same(error, "", path="NodePrepareResourcesResponse.claims[].error")
        return True

    bench.steps.in_its_time("the claim is prepared", look, bound="driver-recovers")


def published_again(bench: Bench) -> None:
    """Wait until the slices of the driver are complete; raises ``Violation``."""
    bench.steps.in_its_time(
        "every pool is complete",
        lambda: inventory.complete(inventory.read(bench.world, bench.driver.name)),
        bound="driver-recovers",
    )


def started(bench: Bench) -> Registration:
    """Stand on a driver that has been there for a moment: it is done with its start."""
    Life(bench.world, bench.driver).inventory()
    found = bench.registration()
    time = bench.world.cluster.time
    if not time.virtual:
        # No API tells when a driver is done with its start; what it does at last is not seen.
        time.pass_(max(0.0, _STARTED - registration.age(found)))
    return found


@contextlib.contextmanager
def without_api(bench: Bench) -> Iterator[None]:
    """Have the API server away for a while; raises ``Unsupported``."""
    bench.driver.must_be_ours("takes the API server away")
    bench.registration()
    with bench.world.cluster.without_api():
        yield


def asked_meanwhile(bench: Bench, claim: Object) -> None:
    """Let a kubelet ask for a claim, whatever comes of it, and a while pass."""
    bench.refusal(claim)
    _time_passes(bench)


def goes_on_after_a_pause(bench: Bench, claim: Object) -> None:
    """Expect that a driver that was paused while it was called goes on; raises ``Violation``."""
    bench.driver.must_be_ours("pauses the driver")
    found = bench.registration()
    bench.driver.pause()
    try:
        answered = calls.answers_in_time(found, claim, _AT_ONCE)
    finally:
        bench.driver.resume()
    if answered:
        raise Unsupported("the check pauses the driver, and it answers from elsewhere")
    if not calls.answers_in_time(found, claim, _SOON):
        raise Violation(f"an answer within {_SOON:g} s after the pause", observed="none")
    serves(found, claim)


def refused(bench: Bench) -> None:
    """Tell the driver that the kubelet does not take it."""
    bench.driver.must_be_ours("refuses the driver's registration")
    registration.refuse(bench.registration(), REASON)


def asked_repeatedly(found: Registration) -> list[Registration]:
    """Return what the driver says when a kubelet starts again and again."""
    answers: list[Registration] = []
    for _ in range(3):
        answers.append(registration.asked_again(found))
        registration.accept(found)
    return answers


def inventory_of(bench: Bench) -> frozenset[tuple[str, str]]:
    """Stand on what the driver publishes: pool and name of its devices."""
    return Life(bench.world, bench.driver).inventory().names


def other_inventory(bench: Bench, before: frozenset[tuple[str, str]]) -> None:
    """Wait until the driver publishes other devices, in complete pools; raises ``Violation``."""

    def look() -> bool:
        found = inventory.complete(inventory.read(bench.world, bench.driver.name))
        expect.that(
            found.names != before, "other devices", path="spec.devices", observed="the same"
        )
        return True

    bench.world.until("the driver publishes another inventory", look, bound="slice-published")


def edits_of(bench: Bench, answer: Answer) -> list[Object]:
    """Return every edit that a container with the devices of an answer gets."""
    return bench.folder.read().edits(cdi.ids_of(answer))


def _time_passes(bench: Bench) -> None:
    """Let a minute pass for the driver, or as much of it as may be waited."""
    allowed = bench.world.patience.bounds.allowed
    bench.steps.elapse(_AWAY, at_most=None if allowed is None else allowed / 4)


def describes(bench: Bench) -> tuple[Object, Answer]:
    """Stand on a driver that writes CDI specs for its claims; raises ``Unsupported``.

    Returns a claim that was undone, and what it had been answered.
    """
    claim = bench.simple("described")
    answer = bench.prepared(claim)
    own = bench.folder.read().describing(cdi.ids_of(answer))
    bench.unprepared(claim)
    if not any(claim["metadata"]["uid"] in f"{one.file}{one.document}" for one in own):
        raise Unsupported("the check needs a driver that writes a CDI spec for each claim")
    return claim, answer


@contextlib.contextmanager
def unwritable(bench: Bench) -> Iterator[None]:
    """Have no CDI spec be written for a while; raises ``Unsupported``."""
    bench.driver.must_be_ours("takes the folder of CDI specs away")
    with bench.folder.blocked():
        yield


def stands(answer: Answer) -> None:
    """Stand on an answer without an error, or raise ``Undecided``."""
    if answer.error:
        raise Undecided(f"not judged, since no claim is prepared: {answer.error}")


def one_refuses(found: Registration, claim: Object) -> None:
    """Stand on an instance that refuses a claim by itself, or raise ``Undecided``."""
    if not refusal_by(found, claim):
        raise Undecided("not judged, since one instance alone prepares a device twice")


def refusal_by(found: Registration, claim: Object) -> str:
    """Return why an instance does not prepare a claim, empty where it does; it is undone then."""
    try:
        error = calls.prepare(found, claim).error
    except calls.CallFailed as failed:
        return str(failed.observed)
    if not error:
        calls.unprepare(found, claim)
    return error


def used_after_restart_of_the_kubelet(bench: Bench) -> None:
    """Expect that a kubelet that was restarted runs Pods with the driver; raises ``Violation``."""
    bench.driver.must_be_ours("restarts the kubelet")
    life = Life(bench.world, bench.driver)
    life.taken(Use(pod="before", claim="before"))
    # A kubelet that starts deletes the slices of its node.
    publication.let_lie(life)
    bench.world.cluster.restart_kubelet(bench.access.name)
    after = Use(pod="after", claim="after")
    bench.world.apply("driver/claim_pod", **after.values(bench.driver.device_class))
    life.steps.in_its_time(
        "Pod after runs", lambda: looking.runs(bench.world, "after"), bound="kubelet-retry"
    )
