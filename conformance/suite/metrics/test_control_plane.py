"""What kube-controller-manager and kube-scheduler tell about claims."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

QUEUE = {"name": "resource_claim"}
CREATES = "dynamic_resource_allocation_resourceclaim_creates_total"
CLAIMS = "dynamic_resource_allocation_resource_claims"
DELETIONS = "device_taint_eviction_controller_pod_deletions_total"
LATENCY = "device_taint_eviction_controller_pod_deletion_duration_seconds_count"
PROCESSED = "resourcepoolstatusrequest_controller_requests_processed_total"


def evict_a_pod(world: World, flow: Any) -> None:
    """Taint the device of a Pod, and see the Pod marked for its end."""
    node = world.own_node("metrics")
    flow.publish("device-1")
    flow.claim()
    flow.pod(place={"kubernetes.io/hostname": node})
    world.pods.scheduled("pod")
    selected = {"deviceSelector": {"driver": world.driver}}
    taint = {"key": "d.example/broken", "effect": "NoExecute"}
    world.apply("device_taints/rule", rule="rule", spec={**selected, "taint": taint})
    world.until(
        "the Pod is evicted",
        lambda: expect.present(world.pods.get("pod"), "metadata.deletionTimestamp"),
        bound="pod-evicted",
    )


@pytest.mark.requirement("DRA-ADM-11")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("workqueue_adds_total", id="adds"),
        pytest.param("workqueue_work_duration_seconds_count", id="work"),
    ],
)
def test_the_queue_of_the_claim_controller_is_told(flow: Any, readings: Any, name: str) -> None:
    """A claim that is created goes through the queue resource_claim."""
    before = readings.manager().value(name, **QUEUE)

    flow.claim()

    readings.until(f"{name} has grown", lambda: readings.manager().present(name, **QUEUE) > before)


@pytest.mark.requirement("DRA-ADM-11")
def test_the_depth_of_the_claim_controllers_queue_is_told(readings: Any) -> None:
    """How many items wait is told, also when none does."""
    depth = readings.manager().present("workqueue_depth", **QUEUE)

    expect.that(depth >= 0, "a number of items", path="workqueue_depth", observed=depth)


@pytest.mark.requirement("DRA-ADM-12")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("scheduler_pod_scheduling_sli_duration_seconds_count", id="end to end"),
        pytest.param("scheduler_scheduling_algorithm_duration_seconds_count", id="algorithm"),
    ],
)
def test_the_scheduler_tells_how_long_it_takes(flow: Any, readings: Any, name: str) -> None:
    """A Pod with a claim is scheduled: both histograms have one more entry."""
    flow.publish("device-1")
    flow.claim()
    before = readings.scheduler().value(name)

    flow.pod()
    flow.world.pods.scheduled("pod")

    readings.until(f"{name} has grown", lambda: readings.scheduler().present(name) > before)


@pytest.mark.requirement("DRA-MTR-06")
def test_a_claim_that_is_generated_is_counted(world: World, readings: Any) -> None:
    """A claim is made for a Pod from a template: one more was created with success."""
    labels = {"status": "success", "admin_access": "false", "owner_api_kind": "Pod"}
    before = readings.manager().value(CREATES, **labels)
    world.apply("workflow/class")
    world.apply("workflow/template")

    world.apply("workflow/template_pod", pod="pod")

    readings.until(
        "one more claim was created",
        lambda: readings.manager().present(CREATES, **labels) > before,
    )


@pytest.mark.requirement("DRA-MTR-07")
@pytest.mark.parametrize(
    ("allocated", "devices"),
    [pytest.param("true", 1, id="allocated"), pytest.param("false", 0, id="not allocated")],
)
def test_claims_are_counted_by_allocation_and_source(
    flow: Any, readings: Any, allocated: str, devices: int
) -> None:
    """A claim that a user made is one of those that are allocated, or of those that are not."""
    flow.publish(*["device-1"][:devices])
    flow.claim()
    flow.pod()

    labels = {"allocated": allocated, "admin_access": "false", "source": ""}
    readings.until(
        "the claim is counted", lambda: readings.manager().present(CLAIMS, **labels) >= 1
    )


@pytest.mark.requirement("DRA-MTR-08")
def test_a_pod_that_is_evicted_is_counted(world: World, flow: Any, readings: Any) -> None:
    """A Pod leaves a tainted device: one more was deleted."""
    before = readings.manager().present(DELETIONS)

    evict_a_pod(world, flow)

    readings.until(
        "one more Pod was deleted", lambda: readings.manager().present(DELETIONS) > before
    )


@pytest.mark.requirement("DRA-MTR-09")
def test_how_late_a_pod_is_evicted_is_told(world: World, flow: Any, readings: Any) -> None:
    """A Pod leaves a tainted device: the histogram of how late has one more entry."""
    before = readings.manager().value(LATENCY)

    evict_a_pod(world, flow)

    readings.until(
        "one more deletion was timed", lambda: readings.manager().present(LATENCY) > before
    )


@pytest.mark.requirement("DRA-MTR-10")
@pytest.mark.variant(gates={"DRAResourcePoolStatus": True})
def test_an_answered_request_is_counted_for_its_driver(world: World, readings: Any) -> None:
    """A request about the pools of a driver that has none is answered, and counted as one."""
    world.apply("pool_status/request", suffix="metrics", spec={"driver": world.driver})

    readings.until(
        "the request is counted",
        lambda: readings.manager().value(PROCESSED, driver_name=world.driver) == 1,
    )
