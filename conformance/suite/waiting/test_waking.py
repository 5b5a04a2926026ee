"""A Pod that does not fit is scheduled once something changes that makes it fit."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

SIZE = "d.example/size"


def change(path: str, value: Any, how: str = "replace") -> list[dict[str, Any]]:
    """Return a JSON patch with one change."""
    return [{"op": how, "path": path, "value": value}]


@pytest.mark.requirement("DRA-WAI-01")
def test_a_new_class_ends_the_waiting(world: World, flow: Any) -> None:
    """The claim names a class that is created later."""
    later = f"{world.device_class}-later"
    flow.publish("device-1")
    flow.claim({"name": "device", "exactly": {"deviceClassName": later}})
    flow.pod()
    world.pods.unschedulable("pod")

    world.apply("workflow/class", **{"class": later})

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-WAI-02")
def test_a_change_of_the_class_ends_the_waiting(world: World, flow: Any) -> None:
    """The class selects no device until its selector is changed."""
    other = f"{world.device_class}-other"
    values = {"class": other, "driver": f"no.{world.driver}"}
    device_class = world.apply("workflow/class", **values).of("DeviceClass")
    flow.publish("device-1")
    flow.claim({"name": "device", "exactly": {"deviceClassName": other}})
    flow.pod()
    world.pods.unschedulable("pod")

    expression = f'device.driver == "{world.driver}"'
    world.patch(device_class, change("/spec/selectors/0/cel/expression", expression))

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-WAI-03")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param(f"/attributes/{SIZE.replace('/', '~1')}", {"string": "large"}, id="attribute"),
        pytest.param(
            "/taints",
            [],
            id="taint",
            marks=pytest.mark.variant(gates={"DRADeviceTaints": True}),
        ),
    ],
)
def test_a_change_of_a_device_ends_the_waiting(
    world: World, flow: Any, path: str, value: Any
) -> None:
    """The only device has another attribute than is selected, or a taint, until it is changed."""
    attribute = {SIZE: {"string": "large" if path == "/taints" else "small"}}
    taint = {"key": "d.example/broken", "effect": "NoSchedule"}
    device = {"name": "device-1", "attributes": attribute}
    tainted = {**device, "taints": [taint] if path == "/taints" else []}
    made = world.apply("workflow/slice", devices=[tainted], slice="slice", count=1)
    flow.claim(flow.selecting('device.attributes["d.example"].size == "large"'))
    flow.pod()
    world.pods.unschedulable("pod")

    world.patch(made.of("ResourceSlice"), change(f"/spec/devices/0{path}", value))

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-WAI-04")
def test_a_claim_that_was_missing_ends_the_waiting(world: World, flow: Any) -> None:
    """The Pod is there before the claim that it names."""
    flow.publish("device-1")
    flow.pod()
    world.pods.stays_unscheduled("pod", for_="claim-refused")

    flow.claim()

    world.pods.scheduled("pod")


@pytest.mark.requirement("DRA-WAI-05")
def test_a_device_that_is_given_back_ends_the_waiting(world: World, flow: Any) -> None:
    """The only device is in use until the Pod that uses it is gone."""
    flow.publish("device-1")
    flow.claim(claim="holder")
    flow.pod("holder", claim="holder")
    flow.devices("holder")
    flow.claim()
    flow.pod()
    world.pods.unschedulable("pod")

    world.pods.delete("holder", grace=0)

    world.pods.scheduled("pod", bound="claim-deallocated")


@pytest.mark.requirement("DRA-WAI-06")
def test_a_new_node_ends_the_waiting(world: World, flow: Any) -> None:
    """The device can be reached from a node that is created later."""
    label = f"{world.driver}/reaches"
    world.apply("allocation/labelled_slice", label=label, devices=[{"name": "device-1"}])
    flow.claim()
    flow.pod()
    world.pods.unschedulable("pod")

    node = world.own_node("later", {label: "yes"})

    expect.field(world.pods.scheduled("pod"), "spec.nodeName", node)
