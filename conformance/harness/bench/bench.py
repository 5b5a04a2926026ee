"""One check's claims with the driver, with the harness on the kubelet's side."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from conformance.harness.bench import handmade
from conformance.harness.bench.cdi import Folder, Specs
from conformance.harness.bench.handmade import Place
from conformance.harness.bench.together import together
from conformance.harness.claims import CLAIMS
from conformance.harness.errors import HarnessError, Undecided, Unsupported, Violation
from conformance.harness.kubeletside import claims as calls
from conformance.harness.kubeletside import registration
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.kubeletside.registration import Registration
from conformance.harness.pods import PODS
from conformance.harness.subject import looking
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.subject.steps import Steps
from conformance.harness.target import OWN_NODE, NodeAccess
from conformance.harness.world import World
from conformance.kube.objects import Object

_HOLDER = "holder"

#: More devices than any check looks through.
_MANY = 128


class Bench:
    """Claims that are allocated by hand and handed to the driver through its socket."""

    def __init__(self, world: World, driver: Driver) -> None:
        self.world = world
        self.driver = driver
        self._life = Life(world, driver)
        self.steps = Steps(world, driver)
        self._holder: Object | None = None
        self._handed: dict[str, Object] = {}

    # Claims.

    def devices(self, count: int, *, at_most: int = 0) -> list[Place]:
        """Return so many devices, or more up to ``at_most``; raises ``Unsupported``."""
        found = self.steps.after("consistent", self._life.consistent)
        free = handmade.places(self.world, found, self.driver, self.access.name)
        return handmade.take(free, max(count, min(at_most, len(free))))

    def unshared(self) -> Place:
        """Return a device that can be in one claim only; raises ``Unsupported``."""
        for place in self.devices(1, at_most=_MANY):
            if place.shares is None:
                return place
        raise Unsupported("the check needs a device that claims can't share, and all can be shared")

    def claim(self, name: str, *devices: Place, stranger: str = "") -> Object:
        """Return a new claim that is allocated these devices, for a Pod of the node."""
        handmade.create(self.world, self.driver, name, stranger=stranger)
        return self.allocate(name, *devices, stranger=stranger)

    def simple(self, name: str = "claim") -> Object:
        """Return a new claim with one device; raises ``Unsupported``."""
        return self.claim(name, *self.devices(1))

    def never_created(self, name: str) -> Object:
        """Return a claim that no API server has ever heard of."""
        uid = "00000000-0000-4000-8000-" + f"{len(name):012x}"
        metadata = {"name": name, "namespace": self.world.namespace, "uid": uid}
        return {"metadata": metadata}

    def unallocated(self, name: str) -> Object:
        """Return a new claim without an allocation."""
        return handmade.create(self.world, self.driver, name)

    def unknown_device(self, name: str) -> Object:
        """Return a new claim for a device that the driver does not publish."""
        place = self.devices(1)[0]
        return self.claim(name, Place(place.pool, "dra-conformance-no-such-device"))

    def unknown_pool(self, name: str) -> Object:
        """Return a new claim for a device of the driver's, in a pool that it does not publish."""
        place = self.devices(1)[0]
        return self.claim(name, attrs.evolve(place, pool="dra-conformance.test/no-such-pool"))

    def gone(self, name: str) -> Object:
        """Return a claim that was allocated and then deleted."""
        claim = self.simple(name)
        self.delete(claim)
        return claim

    def allocate(self, name: str, *devices: Place, stranger: str = "") -> Object:
        """Allocate devices to a claim, in the place of a scheduler."""
        claim, node = self.world.claims.get(name), self.access.name
        allocation = handmade.allocation(
            self.world, self.driver, node, claim, devices, stranger=stranger
        )
        return self.write(name, allocation, [self.consumer()])

    def write(self, name: str, allocation: Object, reserved: list[Object]) -> Object:
        """Write what a scheduler writes into the status of a claim, and return the claim."""
        self.world.claims.write_status(name, allocation=allocation, reservedFor=reserved)
        return self.world.claims.get(name)

    def consumer(self) -> Object:
        """Return the Pod that the claims are reserved for, as a claim names it."""
        return {"resource": "pods", "name": _HOLDER, "uid": self._pod()["metadata"]["uid"]}

    def reallocate(self, claim: Object, *devices: Place) -> Object:
        """Take a claim's devices away without unpreparing it, and allocate it others."""
        name = claim["metadata"]["name"]
        self.world.claims.write_status(name, allocation=None, reservedFor=None)
        return self.allocate(name, *devices)

    def delete(self, claim: Object) -> None:
        """Delete a claim."""
        self.world.api.delete(CLAIMS, claim["metadata"]["name"], self.world.namespace)

    # The kubelet's calls.

    def prepare(self, claim: Object) -> Answer:
        """Return the entry of a claim; raises ``Violation`` for an answer that is none."""
        return self.prepare_all([claim])[0]

    def prepare_all(self, claims: Sequence[Object]) -> list[Answer]:
        """Return the entries of claims that are prepared in one call, in their order."""
        for claim in claims:
            self._handed[claim["metadata"]["uid"]] = claim
        answers = calls.prepare_all(self.registration(), claims)
        return [answers[claim["metadata"]["uid"]] for claim in claims]

    def prepare_at_once(self, claims: Sequence[Object]) -> list[Answer]:
        """Return the entries of claims, each from a call of its own, all at one time."""
        return self._at_once(calls.prepare, claims)

    def unprepare_at_once(self, claims: Sequence[Object]) -> list[Answer]:
        """Return the entries of claims, each from a call of its own, all at one time."""
        return self._at_once(calls.unprepare, claims)

    def come_and_go(self, claims: Sequence[Object], times: int) -> list[str]:
        """Prepare and undo each claim so often, all of them at one time; return the errors."""

        def cycle(claim: Object) -> list[str]:
            acts = (self.prepare, self.unprepare) * times
            return [error for error in (act(claim).error for act in acts) if error]

        found = together(functools.partial(cycle, claim) for claim in claims)
        return [error for errors in found for error in errors]

    def prepared(self, claim: Object) -> Answer:
        """Stand on a claim that is prepared: the driver's answer, or ``Undecided``."""
        try:
            answer = self.prepare(claim)
        except Violation as violation:
            raise Undecided(f"not judged, since no claim is prepared: {violation}") from violation
        if answer.error:
            raise Undecided(f"not judged, since no claim is prepared: {answer.error}")
        return answer

    def refused(self, claim: Object) -> None:
        """Stand on a claim that the driver does not prepare, or raise ``Undecided``."""
        if not self.refusal(claim):
            raise Undecided("not judged, since the driver prepares what it can't have prepared")

    def refusal(self, claim: Object) -> str:
        """Return why the driver does not prepare a claim, empty where it does.

        A library that reads claims before it asks the driver refuses the call as a whole.
        """
        try:
            return self.prepare(claim).error
        except calls.CallFailed as failed:
            return str(failed.observed)

    def refusals_at_once(self, claims: Sequence[Object]) -> list[str]:
        """Return why claims are not prepared, each in a call of its own, all at one time."""
        return together(functools.partial(self.refusal, claim) for claim in claims)

    def unprepare(self, claim: Object) -> Answer:
        """Return the entry of a claim; raises ``Violation`` for an answer that is none."""
        return self.unprepare_all([claim])[0]

    def unprepare_all(self, claims: Sequence[Object]) -> list[Answer]:
        """Return the entries of claims that are unprepared in one call, in their order."""
        answers = calls.unprepare_all(self.registration(), claims)
        return [answers[claim["metadata"]["uid"]] for claim in claims]

    def unprepared(self, claim: Object) -> None:
        """Stand on a claim that is undone, or raise ``Undecided``."""
        try:
            answer = self.unprepare(claim)
        except Violation as violation:
            raise Undecided(
                f"not judged, since the claim is not undone: {violation}"
            ) from violation
        if answer.error:
            raise Undecided(f"not judged, since the claim is not undone: {answer.error}")

    # The driver and its node.

    @property
    def access(self) -> NodeAccess:
        """The node of the driver, as far as it is reached; raises ``Unsupported``."""
        found = looking.accesses(self.world, self.driver)
        if not found:
            raise Unsupported("the check speaks to the driver's socket, which is not reached")
        return found[0]

    @property
    def folder(self) -> Folder:
        """The CDI specs of the driver's node."""
        return Folder(self.access.cdi_dir)

    def registration(self) -> Registration:
        """Stand on a driver that answers on its registration socket, or raise ``Undecided``."""
        return self.steps.after("registered", lambda: self.steps.take("registered", self._find))

    def restart(self, how: str) -> None:
        """Let the driver end by SIGTERM (``terminate``) or SIGKILL (``kill``), and start it."""
        self.driver.must_be_ours("restarts the driver")
        {"terminate": self.driver.terminate, "kill": self.driver.kill}[how]()
        self.driver.start()
        self.registration()

    def reboot(self, answer: Answer) -> None:
        """Let the driver find its node as after a reboot: its state is kept, CDI specs are gone."""
        self.driver.must_be_ours("removes the driver's CDI specs")
        self.driver.terminate()
        self.folder.remove([one for device in answer.devices for one in device.cdi_ids])
        self.driver.start()
        self.registration()

    def instances(self) -> list[Registration]:
        """Return every instance of the driver that answers on a registration socket."""
        return registration.find_all(self.access.registrar_dir, self.driver.name, self.world.note)

    def settled(self) -> Specs:
        """Return the CDI specs once the driver has served a claim and undone it.

        What it writes once for all claims is there by then.
        """
        claim = self.simple("first")
        self.prepared(claim)
        self.unprepared(claim)
        self.delete(claim)
        return self.folder.read()

    def left_of_failure(self, before: Specs, claim: Object) -> list[str]:
        """Return the files of CDI specs that a preparation which failed has left behind."""
        alone = OWN_NODE in self.world.cluster.capabilities
        return self.folder.read().left_of_failure(before, claim, self.driver.name, alone=alone)

    def close(self) -> None:
        """Take back what is still with the driver; what goes wrong here decides nothing."""
        with contextlib.suppress(Violation, HarnessError):
            if self._handed and not self.driver.ended():
                self.unprepare_all(list(self._handed.values()))
        if self._holder is not None:
            self.world.api.delete(PODS, _HOLDER, self.world.namespace, grace=0)

    def _at_once(
        self, call: Callable[[Registration, Object], Answer], claims: Sequence[Object]
    ) -> list[Answer]:
        self._handed |= {claim["metadata"]["uid"]: claim for claim in claims}
        found = self.registration()
        return together(functools.partial(call, found, claim) for claim in claims)

    def _find(self) -> Registration:
        return self.steps.until(
            "the driver answers on its registration socket",
            lambda: registration.find(self.access.registrar_dir, self.driver.name, self.world.note),
            bound="plugin-registered",
        )

    def _pod(self) -> Object:
        """Return the Pod that the claims are reserved for; no kubelet ever runs it."""
        if self._holder is None:
            self._holder = self.world.apply("driver_state/holder", holder=_HOLDER).of("Pod")
        return self._holder


@contextlib.contextmanager
def opened(world: World, driver: Driver) -> Iterator[Bench]:
    """Yield a bench, and take back at the end what was handed to the driver."""
    bench = Bench(world, driver)
    try:
        yield bench
    finally:
        bench.close()


def answered(answer: Answer) -> Any:
    """Return what a driver said of a claim in a form that does not depend on its order."""
    devices = sorted(
        (one.pool, one.name, sorted(one.requests), sorted(one.cdi_ids)) for one in answer.devices
    )
    return {"error": answer.error, "devices": devices}
