"""Which DeviceClass serves an extended resource."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

CLASS = "spec.devices.requests[0].exactly.deviceClassName"

#: Seconds after which creation times differ; they are told in whole seconds.
A_SECOND = 1.5


@pytest.mark.requirement("DRA-EXT-11")
def test_the_class_created_last_serves_the_resource(world: World, extended: Any) -> None:
    """The older class, whose name comes first, serves it no more."""
    extended.flow.publish("device-1")
    extended.serve(f"{world.name}-a")
    world.patience.elapse(A_SECOND)
    extended.serve(f"{world.name}-z")

    extended.pod()

    expect.field(extended.claim(), CLASS, f"{world.name}-z")


@pytest.mark.requirement("DRA-EXT-12")
def test_of_classes_created_together_the_first_by_name_serves(world: World, extended: Any) -> None:
    """Whichever second it was, the class created last is the one whose name comes first."""
    extended.flow.publish("device-1")
    extended.serve(f"{world.name}-z")
    extended.serve(f"{world.name}-a")

    extended.pod()

    expect.field(extended.claim(), CLASS, f"{world.name}-a")


@pytest.mark.requirement("DRA-EXT-13")
def test_a_pod_that_waits_is_scheduled_once_a_class_serves_it(world: World, extended: Any) -> None:
    """First the Pod, then the class: the Pod gets its device."""
    extended.flow.publish("device-1")
    extended.pod()
    world.pods.unschedulable("pod")

    extended.serve()

    expect.field(extended.claim(), CLASS, extended.device_class)


@pytest.mark.requirement("DRA-EXT-15")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("device", id="no domain"),
        pytest.param("kubernetes.io/device", id="the domain of Kubernetes"),
        pytest.param("deviceclass.resource.kubernetes.io/other", id="the implicit name of a class"),
        pytest.param("requests.example.com/device", id="a prefix of quota"),
        pytest.param("example.com/two words", id="no qualified name"),
    ],
)
def test_a_class_needs_the_name_of_an_extended_resource(extended: Any, name: str) -> None:
    """Whatever could not be requested as an extended resource is refused."""
    with expect.refused(422, "spec.extendedResourceName"):
        extended.serve(resource=name)
