"""How drivers come to a kubelet: versions, sockets, and one instance after the other."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"


@pytest.mark.requirement("DRA-KUB-01")
def test_a_driver_that_comes_back_is_taken_again(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A driver that has stopped and started again is registered, and serves Pods."""
    served.stop()
    before = len(served.calls.of("NotifyRegistrationStatus"))
    served.start()

    world.until(
        "the driver is registered again",
        lambda: len(served.calls.of("NotifyRegistrationStatus")) > before,
        bound="plugin-registered",
    )
    flow.pod()
    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-02")
@pytest.mark.parametrize(
    "offers",
    [
        pytest.param([], id="nothing"),
        pytest.param(["v1alpha3.Node"], id="an old service"),
        pytest.param(["v1.DRAResourceHealth"], id="health alone"),
    ],
)
def test_a_driver_that_offers_nothing_usable_is_told_so(on_node: Any, offers: list[str]) -> None:
    """The kubelet says to the driver that it was not taken, and why."""
    double = on_node.double()
    double.offers = offers

    with on_node.offered(double):
        call = on_node.answered(double, taken=False)

    expect.that(bool(call.error), "a reason", path="RegistrationStatus.error", observed=call.error)


@pytest.mark.requirement("DRA-KUB-03")
@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_a_driver_of_either_version_is_served(
    world: World, on_node: Any, flow: Any, version: str
) -> None:
    """A driver with one version of the API alone prepares and unprepares by that version."""
    on_node.publish("device-1")
    flow.claim()

    with on_node.present(on_node.double(plugin_version=version)) as double:
        flow.pod()
        world.pods.running("pod")
        world.pods.delete("pod", grace=1)
        world.pods.gone("pod")

    calls = [(call.version, call.method) for call in double.calls if call.claim_uids]
    expect.same(calls, [(version, PREPARE), (version, UNPREPARE)], path="calls of the kubelet")


@pytest.mark.requirement("DRA-KUB-04")
def test_of_two_versions_the_newer_one_is_spoken(world: World, on_node: Any, flow: Any) -> None:
    """A driver that offers v1 and v1beta1, in this order, is called by v1."""
    on_node.publish("device-1")
    flow.claim()

    with on_node.present(on_node.double(plugin_version="v1+v1beta1")) as double:
        flow.pod()
        world.pods.running("pod")

    versions = {call.version for call in double.calls if call.claim_uids}
    expect.same(versions, {"v1"}, path="versions of the kubelet's calls")


@pytest.mark.requirement("DRA-KUB-05")
def test_a_driver_may_serve_later_than_it_registers(world: World, on_node: Any, flow: Any) -> None:
    """A Pod waits for a driver that is registered and does not listen, and then runs."""
    on_node.publish("device-1")
    flow.claim()

    with on_node.offered(on_node.double()) as double:
        on_node.answered(double, taken=True)
        flow.pod()
        world.pods.stays_pending("pod", for_="driver-away")
        double.serve()
        world.pods.running("pod", bound="kubelet-retry")
        world.pods.delete("pod", grace=1)
        world.pods.gone("pod")


@pytest.mark.requirement("DRA-KUB-06")
def test_one_socket_does_for_everything(world: World, on_node: Any, flow: Any) -> None:
    """Registration and calls may go through one socket."""
    on_node.publish("device-1")
    flow.claim()

    with on_node.present(on_node.double().on_one_socket()):
        flow.pod()
        world.pods.running("pod")


@pytest.mark.requirement("DRA-KUB-07")
def test_a_service_that_comes_back_needs_no_registration(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """After the service has ended and started again the kubelet goes on to call it."""
    flow.pod()
    world.pods.running("pod")
    registrations = len(served.calls.of("NotifyRegistrationStatus"))
    served.cease()
    world.pods.delete("pod", grace=1)
    world.pods.stays_unfinished("pod", for_="driver-away")

    served.serve()

    world.pods.gone("pod", bound="kubelet-retry")
    expect.same(on_node.done(served)[-1], UNPREPARE, path="last call")
    expect.same(
        len(served.calls.of("NotifyRegistrationStatus")), registrations, path="registrations"
    )


@pytest.mark.requirement("DRA-KUB-08")
def test_of_two_instances_the_newer_one_is_asked(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """While a driver is updated two instances are there: the newer one is called."""
    with on_node.present(on_node.double().as_instance("new")) as newer:
        flow.pod()
        world.pods.running("pod")

    expect.same(served.calls.of(PREPARE), [], path="calls of the older instance")
    expect.same(on_node.done(newer)[:1], [PREPARE], path="calls of the newer instance")


@pytest.mark.requirement("DRA-KUB-09")
def test_after_a_failed_update_the_older_instance_is_asked(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """A newer instance that is gone again leaves the node to the older one, slices included."""
    with on_node.present(on_node.double().as_instance("new")):
        flow.pod("first")
        world.pods.running("first")

    flow.pod()

    world.pods.running("pod", bound="kubelet-retry")
    expect.same(on_node.done(served), [PREPARE], path="calls of the older instance")
    on_node.slices_stay("driver-away-for-good")


@pytest.mark.requirement("DRA-KUB-10")
def test_an_instance_cannot_take_the_socket_of_another(
    world: World, served: DriverDouble, flow: Any, on_node: Any
) -> None:
    """Who registers with the endpoint of another instance is refused; the other one serves on."""
    with on_node.offered(on_node.double().with_registration_of_its_own("thief")) as thief:
        on_node.answered(thief, taken=False)

    flow.pod()
    world.pods.running("pod", bound="kubelet-retry")


@pytest.mark.requirement("DRA-KUB-11")
@pytest.mark.parametrize("method", ["GetInfo", "NotifyRegistrationStatus"])
def test_a_registration_that_failed_is_tried_again(
    world: World, on_node: Any, flow: Any, method: str
) -> None:
    """A driver whose answer failed once is registered nevertheless, and serves Pods."""
    on_node.publish("device-1")
    flow.claim()
    double = on_node.double()
    double.plan.fail(method, times=1, error="not now")

    with double:
        world.until(
            "the driver was asked again",
            lambda: (
                len(double.calls.of("NotifyRegistrationStatus")) >= 1
                and len(double.calls.of(method)) >= 2
            ),
            bound="plugin-registered",
        )
        flow.pod()
        world.pods.running("pod", bound="kubelet-retry")
        world.pods.delete("pod", grace=1)
        world.pods.gone("pod")
