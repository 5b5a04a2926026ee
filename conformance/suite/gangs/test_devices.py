"""Which devices the Pods of a group get that are scheduled together or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)


@pytest.fixture(autouse=True)
def template(flow: Any, grouped: Any) -> None:
    """Create a template of claims for one device each."""
    grouped.template(wanted={"devices": {"requests": [flow.exactly()]}})


@pytest.mark.requirement("DRA-PGR-46")
def test_nothing_is_allocated_before_there_are_enough_pods(
    world: World, flow: Any, grouped: Any
) -> None:
    """There are devices for two Pods, and one Pod: it waits, and its claim with it."""
    flow.publish("device-1", "device-2")
    grouped.gang(2)

    first = grouped.pod("first", place={})

    world.pods.stays_unscheduled("first")
    expect.unset(grouped.noted(first), "status.allocation")


@pytest.mark.requirement("DRA-PGR-47")
@pytest.mark.parametrize(
    ("devices", "shared"),
    [
        pytest.param(1, (), id="claims of the Pods"),
        pytest.param(2, ("ours",), id="and one of the group"),
    ],
)
def test_nothing_is_allocated_for_a_part_of_the_pods(
    flow: Any, grouped: Any, devices: int, shared: tuple[str, ...]
) -> None:
    """There is one device less than two Pods need: neither of them gets any."""
    flow.publish(*[f"device-{number}" for number in range(devices)])
    ours = [grouped.entry(name) for name in shared]
    grouped.gang(2, *ours)

    first = grouped.pod("first", grouped.entry(), *ours, place={})
    second = grouped.pod("second", grouped.entry(), *ours, place={})

    grouped.unallocated(first, second)


@pytest.mark.requirement("DRA-PGR-48")
def test_the_pods_go_once_there_are_enough_devices(flow: Any, grouped: Any) -> None:
    """A second device appears: both Pods get one."""
    flow.publish("device-1")
    grouped.gang(2)
    pods = [grouped.pod("first", place={}), grouped.pod("second", place={})]
    flow.refused("second", claims=())

    flow.publish("device-2", slice="more", pool="another")

    expect.same(grouped.devices(*pods), ["device-1", "device-2"], path="devices")


@pytest.mark.requirement("DRA-PGR-49")
def test_as_many_pods_go_as_the_group_needs(world: World, flow: Any, grouped: Any) -> None:
    """Of three Pods two must go together, and a second device appears: two Pods go."""
    flow.publish("device-1")
    grouped.gang(2)
    pods = [grouped.pod(name, place={}) for name in ("first", "second", "third")]
    flow.refused("third", claims=())
    flow.publish("device-2", slice="more", pool="another")

    def placed() -> list[Any]:
        found = [pod for pod in pods if world.read(pod)["spec"].get("nodeName")]
        expect.same(len(found), 2, path="Pods with a node")
        return found

    went = world.until("two Pods are bound to nodes", placed, bound="pod-scheduled")

    expect.same(grouped.devices(*went), ["device-1", "device-2"], path="devices")


@pytest.mark.requirement("DRA-PGR-50")
def test_a_gang_shares_the_claim_of_the_group(world: World, flow: Any, grouped: Any) -> None:
    """There is one device: two Pods that must go together get it, by the group's claim."""
    flow.publish("device-1")
    group = grouped.gang(2, grouped.entry())

    grouped.pod("first", place={})
    grouped.pod("second", place={})

    world.pods.scheduled("first")
    world.pods.scheduled("second")
    claim = grouped.noted(group)
    expect.field(claim, "status.allocation.devices.results[0].device", "device-1")
    expect.field(claim, "status.reservedFor", [grouped.holder(group)])


@pytest.mark.requirement("DRA-PGR-51")
def test_who_needs_less_gets_what_a_gang_cannot_use(world: World, flow: Any, grouped: Any) -> None:
    """One device is too little for the group: a Pod of no group gets it."""
    flow.publish("device-1")
    grouped.gang(2)
    grouped.pod("first", place={})
    grouped.pod("second", place={})
    flow.refused("second", claims=())

    other = grouped.pod("other", group="", place={})

    expect.same(grouped.devices(other), ["device-1"], path="devices")
    world.pods.stays_unscheduled("first", for_="claim-refused")


@pytest.mark.requirement("DRA-PGR-58")
def test_a_group_that_needs_fewer_pods_goes(world: World, flow: Any, grouped: Any) -> None:
    """There is one device for two Pods, and one of them is enough now: it goes."""
    flow.publish("device-1")
    group = grouped.gang(2)
    pods = [grouped.pod("first", place={}), grouped.pod("second", place={})]
    grouped.unallocated(*pods)

    where = "/spec/schedulingPolicy/gang/minCount"
    world.patch(group, [{"op": "replace", "path": where, "value": 1}])

    world.until("a claim is allocated", grouped.one_allocated, bound="claim-allocated")


@pytest.mark.requirement("DRA-PGR-59")
def test_a_pod_with_a_node_counts(world: World, flow: Any, grouped: Any) -> None:
    """One of two Pods waits until the other one appears, which is on a node already."""
    flow.publish("device-1")
    grouped.gang(2)
    waiting = grouped.pod("waiting", place={})
    world.pods.stays_unscheduled("waiting", for_="claims-quiet")

    grouped.pod("placed", grouped.entry(claim="none"), node=world.own_node("bare"))

    expect.same(grouped.devices(waiting), ["device-1"], path="devices")


@pytest.mark.requirement("DRA-PGR-55")
def test_a_group_tells_that_it_lacks_devices(flow: Any, grouped: Any) -> None:
    """There is one device for two Pods: the group was not scheduled, and says why."""
    flow.publish("device-1")
    group = grouped.gang(2)

    grouped.pod("first", place={})
    grouped.pod("second", place={})

    expect.field(grouped.condition(group, "False"), "reason", "Unschedulable")


@pytest.mark.requirement("DRA-PGR-56")
def test_a_group_tells_that_it_was_scheduled(flow: Any, grouped: Any) -> None:
    """The device that was missing appears: the group was scheduled."""
    flow.publish("device-1")
    group = grouped.gang(2)
    grouped.pod("first", place={})
    grouped.pod("second", place={})
    grouped.condition(group, "False")

    flow.publish("device-2", slice="more", pool="another")

    grouped.condition(group, "True")


@pytest.mark.requirement("DRA-PGR-57")
def test_a_group_remains_scheduled(world: World, flow: Any, grouped: Any) -> None:
    """A third Pod joins for which there is no device: what was said of the group holds."""
    flow.publish("device-1", "device-2")
    group = grouped.gang(2)
    grouped.pod("first", place={})
    grouped.pod("second", place={})
    grouped.condition(group, "True")

    grouped.pod("third", place={})
    world.pods.unschedulable("third")

    kind = "PodGroupInitiallyScheduled"
    world.stays(
        "the group was scheduled",
        lambda: expect.condition(world.read(group), kind, "True"),
        for_="claim-refused",
    )
