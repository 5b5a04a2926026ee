"""What devices take of a node counts like what Pods request of it."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.world import World

pytestmark = pytest.mark.variant(gates={"DRANodeAllocatableResources": True})


def mapped(resource: str, amount: str) -> dict[str, Any]:
    """Return that each device stands for so much of a resource."""
    return {resource: {"mapping": {"deviceMultiplier": amount}}}


@pytest.mark.requirement("DRA-NAR-01")
@pytest.mark.parametrize(
    ("resource", "taken", "left", "more"),
    [
        pytest.param("cpu", "6", "2", "2001m", id="CPU"),
        pytest.param("memory", "12Gi", "4Gi", "4097Mi", id="memory"),
        pytest.param("hugepages-2Mi", "48Mi", "16Mi", "18Mi", id="hugepages"),
    ],
)
def test_what_devices_take_is_not_there_for_others(
    world: World, taking: Any, resource: str, taken: str, left: str, more: str
) -> None:
    """Beside a Pod whose device takes most of the node, only what is left can be requested."""
    taking.publish(mapped(resource, taken))
    taking.claim()
    taking.pod()
    world.pods.scheduled("pod")
    name = resource.replace("-", "_")

    taking.plain("too-much", **{name: more})
    world.pods.unschedulable("too-much")
    taking.plain("fits", **{name: left})

    world.pods.scheduled("fits")
    world.pods.stays_unscheduled("too-much")


@pytest.mark.requirement("DRA-NAR-01")
def test_what_others_request_is_not_there_for_devices(world: World, taking: Any) -> None:
    """A device that takes more than Pods have left of the node is not allocated."""
    taking.publish(mapped("cpu", "6"))
    taking.claim()
    taking.plain("first", cpu="3")
    world.pods.scheduled("first")

    taking.pod()

    world.pods.unschedulable("pod")
    world.claims.stays_unallocated("claim")


@pytest.mark.requirement("DRA-NAR-04")
@pytest.mark.parametrize(
    ("taken", "verdict"),
    [
        pytest.param("5", "scheduled", id="all that is there"),
        pytest.param("6", "unschedulable", id="more than is there"),
    ],
)
def test_a_container_needs_its_own_and_what_its_claims_take(
    world: World, taking: Any, taken: str, verdict: str
) -> None:
    """Three CPUs of its own and what its device takes must be there: the node has eight."""
    taking.publish(mapped("cpu", taken))
    taking.claim()

    taking.pod(resources={"requests": {"cpu": "3"}})

    getattr(world.pods, verdict)("pod")


@pytest.mark.requirement("DRA-NAR-02")
@pytest.mark.parametrize(
    ("taken", "verdict"),
    [
        pytest.param("2", "scheduled", id="up to the request"),
        pytest.param("3", "unschedulable", id="beyond the request"),
    ],
)
def test_pod_level_requests_must_cover_containers_and_devices(
    world: World, taking: Any, taken: str, verdict: str
) -> None:
    """Of four CPUs of the Pod its container requests two, which leaves two for devices."""
    taking.publish(mapped("cpu", taken))
    taking.claim()

    taking.pod(whole={"requests": {"cpu": "4"}}, resources={"requests": {"cpu": "2"}})

    getattr(world.pods, verdict)("pod")


@pytest.mark.requirement("DRA-NAR-03")
@pytest.mark.parametrize(
    ("taken", "verdict"),
    [
        pytest.param("2", "scheduled", id="up to the limit"),
        pytest.param("3", "unschedulable", id="beyond the limit"),
    ],
)
def test_pod_level_limits_must_cover_container_and_devices(
    world: World, taking: Any, taken: str, verdict: str
) -> None:
    """Container limit and device together may reach the limit of the Pod, and not exceed it."""
    taking.publish(mapped("cpu", taken))
    taking.claim()

    taking.pod(
        whole={"requests": {"cpu": "4"}, "limits": {"cpu": "4"}},
        resources={"requests": {"cpu": "100m"}, "limits": {"cpu": "2"}},
    )

    getattr(world.pods, verdict)("pod")


@pytest.mark.requirement("DRA-NAR-08")
def test_overhead_per_pod_counts_once_for_a_pod(world: World, taking: Any) -> None:
    """Two containers use the device, and 8Gi of 16Gi are left."""
    taking.publish({"memory": {"overhead": {"perPod": "8Gi"}}})
    taking.claim()
    world.apply("node_allocatable/two_users", pod="pod", claim="claim", node=taking.node)
    world.pods.scheduled("pod")

    taking.plain("fits", memory="8Gi")
    world.pods.scheduled("fits")
    taking.plain("too-much", memory="1Mi")

    world.pods.unschedulable("too-much")


@pytest.mark.requirement("DRA-NAR-08")
def test_overhead_per_pod_counts_for_each_pod(world: World, taking: Any) -> None:
    """Two Pods share the device: nothing of 16Gi is left."""
    taking.publish({"memory": {"overhead": {"perPod": "8Gi"}}})
    taking.claim()
    taking.pod("first")
    taking.pod("second")
    world.pods.scheduled("first")
    world.pods.scheduled("second")

    taking.plain("too-much", memory="1Mi")

    world.pods.unschedulable("too-much")


@pytest.mark.requirement("DRA-NAR-09")
def test_overhead_per_container_counts_for_each_container(world: World, taking: Any) -> None:
    """Two containers with 4Gi each leave 8Gi of 16Gi, and no more."""
    taking.publish({"memory": {"overhead": {"perContainer": "4Gi"}}})
    taking.claim()
    world.apply("node_allocatable/two_users", pod="pod", claim="claim", node=taking.node)
    world.pods.scheduled("pod")

    taking.plain("too-much", memory="8193Mi")
    world.pods.unschedulable("too-much")
    taking.plain("fits", memory="8Gi")

    world.pods.scheduled("fits")


@pytest.mark.requirement("DRA-NAR-18")
def test_a_mapped_claim_is_for_one_pod(world: World, taking: Any) -> None:
    """A second Pod with the claim waits, although the node has room."""
    taking.publish(mapped("cpu", "1"))
    taking.claim()
    taking.pod("first")
    world.pods.scheduled("first")

    taking.pod("second")

    world.pods.unschedulable("second")
    world.pods.stays_unscheduled("second")


@pytest.mark.requirement("DRA-NAR-20")
def test_other_pods_go_on_beside_an_extended_resource(world: World, taking: Any) -> None:
    """A device that takes CPU is requested as an extended resource; other Pods are scheduled."""
    taking.publish(mapped("cpu", "1"))
    implicit = f"deviceclass.resource.kubernetes.io/{world.device_class}"
    world.apply("extended_resources/pod", pod="pod", limits={implicit: "1"}, place={})

    taking.plain("first", cpu="1")
    world.pods.scheduled("first")
    taking.plain("second", cpu="1")

    world.pods.scheduled("second")
