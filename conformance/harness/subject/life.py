"""The life of a claim with the driver that is judged, step by step.

Each step can be asked for by itself and first takes the steps that it stands on. A step
that the driver does not take is a ``Violation`` for whoever asked for it, and ``Undecided``
for whoever only wanted to stand on it: one thing that is wrong accuses one requirement. What
failed once is not waited for again with the same driver.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from conformance.harness import expect
from conformance.harness.errors import Undecided, Violation
from conformance.harness.kubeletside import claims as kubelet_calls
from conformance.harness.kubeletside import registration
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.kubeletside.registration import Registration
from conformance.harness.observe import probe
from conformance.harness.pods import PODS
from conformance.harness.subject import inventory, looking
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.protocol import Driver
from conformance.harness.subject.steps import STEPS, Steps
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: Seconds after which a kubelet has noticed a new socket.
_NOTICED = 1.5


@attrs.frozen
class Use:
    """A Pod and the claim that it uses, by name."""

    pod: str = "pod"
    claim: str = "claim"
    #: Ask for every device of this node; None for one device anywhere.
    node: str | None = None

    def values(self, device_class: str) -> dict[str, Any]:
        """Return the placeholders of ``driver/claim_pod``."""
        exactly = {"deviceClassName": device_class}
        place: dict[str, str] = {}
        if self.node is not None:
            exactly["allocationMode"] = "All"
            place = {"kubernetes.io/hostname": self.node}
        return {
            "pod": self.pod,
            "claim": self.claim,
            "exactly": exactly,
            "place": place,
            "probe": probe.command(),
        }


class Life:
    """What one check does with the driver."""

    def __init__(self, world: World, driver: Driver) -> None:
        self.world = world
        self.driver = driver
        self.steps = Steps(world, driver)

    # The steps.

    def published(self) -> Inventory:
        """Wait until the driver has published a device, and return what it publishes."""
        return self.steps.take("published", self._published)

    def registered(self) -> Registration | None:
        """Wait until the driver can be found by its kubelet, and return what it says.

        None where no directory of its kubelet is reached from here.
        """
        return self.steps.take("registered", self._registered)

    def consistent(self) -> Inventory:
        """Wait until what the driver publishes forms consistent pools, and return it."""
        self.steps.after("published", self.published)
        return self.steps.take("consistent", self._consistent)

    def allocated(self, use: Use) -> Object:
        """Create the Pod and its claim, wait for the allocation, and return the claim."""
        self.steps.after("consistent", self.consistent)
        return self.steps.take("allocated", lambda: self._allocated(use))

    def prepared(self, use: Use) -> Answer | None:
        """Let the driver prepare the claim, and return its answer where it can be asked."""
        return self.steps.take("prepared", lambda: self._prepared(use))

    def running(self, use: Use) -> Object:
        """Wait until the Pod runs, and return the claim that it uses.

        Where another Pod ran before, it is another step that fails (see ``reused``).
        """
        try:
            return self.steps.take("running", lambda: self._running(use))
        except Violation as violation:
            broken = self.driver.broken
            if "running" not in self.driver.reached:
                raise
            broken.setdefault("reused", broken.pop("running", violation))
            raise Undecided(f"not judged, since {STEPS['reused']}") from violation

    def reused(self, act: Callable[[], None]) -> None:
        """Let ``act`` use devices again; raises ``Violation`` where they can't be."""
        try:
            self.steps.take("reused", act)
        except Undecided as undecided:
            if "reused" in self.driver.broken:
                raise self.driver.broken["reused"] from undecided
            raise

    def released(self, use: Use) -> Object:
        """Delete a Pod that ran, wait until its claim is free, and return the claim as it was."""
        return self.steps.take("released", lambda: self._released(use))

    def asked_again(self, claim: Object) -> Answer | None:
        """Return what the driver says to another NodeUnprepareResources, where it can be asked."""
        found = self.registered()
        return None if found is None else kubelet_calls.unprepare(found, claim)

    def taken(self, use: Use) -> Object:
        """Stand on a Pod that runs: its claim, or ``Undecided``."""
        return self.steps.after("running", lambda: self.running(use))

    def given_back(self, use: Use) -> Object:
        """Stand on a claim that was released: what it was, or ``Undecided``."""
        return self.steps.after("released", lambda: self.released(use))

    def inventory(self) -> Inventory:
        """Stand on published devices, or raise ``Undecided``."""
        return self.steps.after("published", self.published)

    def ready(self) -> None:
        """Stand on devices and on a kubelet that knows the driver: else Pods wait for minutes."""
        self.inventory()
        self.steps.after("registered", self.registered)

    def socket(self) -> Path:
        """Stand on a registered driver: its registration socket, or ``Undecided``."""
        found = self.steps.after("registered", self.registered)
        if found is None:
            raise Undecided("not judged, since the registrar directory is not reached from here")
        return found.socket

    # What else a check or its end may want.

    def clear(self) -> None:
        """Delete every Pod of the world, by force where the driver does not let go.

        What it does not let go of is remembered: whoever judges that must not wait again.
        """
        pods = self.world.api.list(PODS, self.world.namespace)
        if not self.driver.broken:
            for pod in pods if "running" not in self.driver.reached else ():
                self._watch(pod["metadata"]["name"])
            for pod in pods:
                self._delete(pod["metadata"]["name"], grace=1)
            with contextlib.suppress(Violation, Undecided):
                self.steps.take("released", lambda: self._all_let_go(pods))
        for pod in self.world.api.list(PODS, self.world.namespace):
            self._delete(pod["metadata"]["name"], grace=0)

    def known_to_its_kubelet(self) -> None:
        """Wait until the driver can be found by its kubelet, or has been: a claim is prepared."""
        if self.registered() is None:
            self.prepared(Use())

    def widest(self, name: str) -> Use:
        """Return a use of all devices of a node if one claim can have them, else of one."""
        node = inventory.whole_node(self.world, self.driver.name, self.inventory())
        return Use(pod=name, claim=name, node=node)

    def without(self, pod: str, node: str) -> None:
        """Create a Pod like that of a use, but without a claim."""
        self.world.apply("driver/plain_pod", pod=pod, node=node, probe=probe.command())

    # How they are taken.

    def _published(self) -> Inventory:
        def look() -> Inventory:
            found = inventory.read(self.world, self.driver.name)
            expect.that(
                bool(found.devices),
                f"a device in the ResourceSlices of {self.driver.name}",
                path="spec.devices",
                observed=f"{len(found.slices)} slices without one",
            )
            return found

        return self.steps.until("the driver publishes its devices", look, bound="slice-published")

    def _consistent(self) -> Inventory:
        known = inventory.known_nodes(self.world, self.driver.node)

        def look() -> Inventory:
            return inventory.consistent(inventory.read(self.world, self.driver.name), known)

        return self.steps.until("its pools are consistent", look, bound="slice-published")

    def _registered(self) -> Registration | None:
        folders = [access.registrar_dir for access in looking.accesses(self.world, self.driver)]
        if not folders:
            return None
        found = self.steps.until(
            "the driver registers",
            lambda: registration.find(folders[0], self.driver.name, self.world.note),
            bound="plugin-registered",
        )
        time = self.world.cluster.time
        if not time.virtual:
            # A kubelet looks at its directory every second; no API tells when it has done so.
            time.pass_(max(0.0, _NOTICED - registration.age(found)))
        return found

    def _allocated(self, use: Use) -> Object:
        if not self._exists(use):
            self.world.apply("driver/claim_pod", **use.values(self.driver.device_class))
        claim = self.world.claims.allocated(use.claim)
        inventory.published(claim, self.driver.name, self.inventory())
        return claim

    def _prepared(self, use: Use) -> Answer | None:
        claim = self._begun(use)
        # The kubelet goes first: two calls at once are not what a driver must bear.
        if "running" not in self.driver.broken:
            self._watch(use.pod)
        return self._answer(use, claim)

    def _answer(self, use: Use, claim: Object) -> Answer | None:
        found = self.registered()
        if found is not None:
            return kubelet_calls.prepare(found, claim)
        self.steps.until(
            f"the claim of Pod {use.pod} is prepared",
            lambda: looking.beyond_preparation(self.world, use.pod),
            bound="pod-running",
        )
        return None

    def _running(self, use: Use) -> Object:
        self.steps.stand_on("prepared")
        claim = self._begun(use)
        if self.steps.soon(f"Pod {use.pod} runs", lambda: looking.runs(self.world, use.pod)):
            return claim
        answer = self.steps.after(
            "prepared", lambda: self.steps.take("prepared", lambda: self._answer(use, claim))
        )
        no_error(answer, "NodePrepareResources")
        looking.resolved(self.world, self.driver, answer)
        self.steps.until(
            f"Pod {use.pod} runs", lambda: looking.runs(self.world, use.pod), bound="pod-running"
        )
        return claim

    def _released(self, use: Use) -> Object:
        claim = self.taken(use)
        self.world.pods.delete(use.pod, grace=1)
        self._let_go(use.pod, claim)
        self.world.claims.deallocated(use.claim)
        return claim

    def _let_go(self, pod: str, claim: Object | None) -> None:
        if self.steps.soon(f"Pod {pod} is gone", lambda: looking.gone(self.world, pod)):
            return
        if claim is not None:
            no_error(self.asked_again(claim), "NodeUnprepareResources")
        self.steps.until(
            f"Pod {pod} is gone", lambda: looking.gone(self.world, pod), bound="pod-gone"
        )

    def _begun(self, use: Use) -> Object:
        self.steps.stand_on("released")
        self.steps.stand_on("reused")
        self.steps.after("registered", self.registered)
        return self.steps.after("allocated", lambda: self.allocated(use))

    # What they look at.

    def _exists(self, use: Use) -> bool:
        created = self.world.applied.created
        return any((one.resource.kind, one.name) == ("Pod", use.pod) for one in created)

    def _watch(self, pod: str) -> bool:
        """Say whether a Pod runs soon; one that does has used its devices, whoever asked."""
        runs = self.steps.soon(f"Pod {pod} runs", lambda: looking.runs(self.world, pod))
        if runs:
            self.driver.reached.add("running")
        return runs

    def _all_let_go(self, pods: list[Object]) -> None:
        for pod in pods:
            claims = [one.get("resourceClaimName") for one in pod["spec"].get("resourceClaims", [])]
            claim = self.world.claims.get(claims[0]) if claims and claims[0] else None
            self._let_go(pod["metadata"]["name"], claim)

    def _delete(self, pod: str, *, grace: int) -> None:
        try:
            self.world.pods.delete(pod, grace=grace)
        except StatusError as error:
            if error.code != expect.NOT_FOUND:
                raise


def no_error(answer: Answer | None, method: str) -> None:
    """Raise ``Violation`` for an answer that holds an error; None is no answer and no error."""
    if answer is not None and answer.error:
        path = f"{method}Response.claims[].error"
        raise Violation("no error for the claim", path=path, observed=answer.error)
