"""What the Pod's status says that its claims take of the node."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(gates={"DRANodeAllocatableResources": True})

STATUS = "status.nodeAllocatableResourceClaimStatuses"


@pytest.mark.requirement("DRA-NAR-06")
@pytest.mark.parametrize(
    ("consumed", "multiplier", "taken"),
    [
        pytest.param("3", "2", "6", id="more than the capacity"),
        pytest.param("3", "1", "3", id="the capacity"),
        pytest.param("3", "500m", "1500m", id="a part of the capacity"),
    ],
)
def test_a_capacity_key_scales_what_is_consumed(
    world: World, taking: Any, consumed: str, multiplier: str, taken: str
) -> None:
    """The CPU that is taken is the consumed capacity times the multiplier."""
    key = "d.example/cores"
    mapping = {"capacityKey": key, "capacityMultiplier": multiplier}
    capacity = {"capacity": {key: {"value": "16"}}, "allowMultipleAllocations": True}
    taking.publish({"cpu": {"mapping": mapping}}, **capacity)
    taking.claim(capacity={"requests": {key: consumed}})

    taking.pod()

    wanted = [{"name": "cpu", "quantity": taken}]
    expect.same(taking.taken()[0].get("mapping"), wanted, path=f"{STATUS}[0].mapping")


@pytest.mark.requirement("DRA-NAR-07")
@pytest.mark.parametrize(("count", "taken"), [(1, "3"), (2, "6")])
def test_a_device_multiplier_scales_the_number_of_devices(
    world: World, taking: Any, count: int, taken: str
) -> None:
    """Each device counts for three CPUs."""
    taking.publish(*[{"cpu": {"mapping": {"deviceMultiplier": "3"}}}] * 2)
    taking.claim(count=count)

    taking.pod()

    wanted = [{"name": "cpu", "quantity": taken}]
    expect.same(taking.taken()[0].get("mapping"), wanted, path=f"{STATUS}[0].mapping")


@pytest.mark.requirement("DRA-NAR-10")
def test_the_status_holds_what_was_accounted(world: World, taking: Any) -> None:
    """Claim, containers, mapping and overhead stand in the status of the bound Pod."""
    overhead = {"perPod": "1Gi", "perContainer": "512Mi"}
    taken = {"cpu": {"mapping": {"deviceMultiplier": "2"}}, "memory": {"overhead": overhead}}
    taking.publish(taken)
    taking.claim()

    world.apply("node_allocatable/two_users", pod="pod", claim="claim", node=taking.node)

    wanted = {
        "resourceClaimName": "claim",
        "containers": ["first", "second"],
        "mapping": [{"name": "cpu", "quantity": "2"}],
        "overhead": [{"name": "memory", **overhead}],
    }
    expect.same(taking.taken(), [wanted], path=STATUS)


@pytest.mark.requirement("DRA-NAR-19")
def test_a_claim_without_a_container_is_accounted(world: World, taking: Any) -> None:
    """No container uses the claim: its status names none, and what it takes counts."""
    taking.publish({"cpu": {"mapping": {"deviceMultiplier": "6"}}})
    taking.claim()
    taking.pod(used=False)
    wanted = {"resourceClaimName": "claim", "mapping": [{"name": "cpu", "quantity": "6"}]}
    expect.same(taking.taken(), [wanted], path=STATUS)

    taking.plain("too-much", cpu="3")

    world.pods.unschedulable("too-much")


@pytest.mark.requirement("DRA-NAR-15")
def test_the_documents_sockets_are_accounted_alike(world: World, taking: Any) -> None:
    """Two claims of 100 CPUs get a socket each, and each takes 100 CPUs of the node."""
    taking.on_node({"cpu": "256"})
    taking.apply("node_allocatable/cpu_example")
    for name in ("one", "two"):
        taking.claim(name, capacity={"requests": {"cpu.example.com/cpu": "100"}})

    taking.pod("pod", "one", "two")

    mapping = [{"name": "cpu", "quantity": "100"}]
    rows = [(row["resourceClaimName"], row.get("mapping")) for row in taking.taken()]
    expect.same(sorted(rows), [("one", mapping), ("two", mapping)], path=STATUS)


@pytest.mark.requirement("DRA-NAR-16")
def test_the_documents_accelerator_takes_memory(world: World, taking: Any) -> None:
    """The slice is accepted, and a Pod with the accelerator takes 8Gi more."""
    taking.on_node()
    taking.apply("node_allocatable/overhead_example")
    taking.claim()

    taking.pod()

    wanted = [{"name": "memory", "perPod": "8Gi"}]
    expect.same(taking.taken()[0].get("overhead"), wanted, path=f"{STATUS}[0].overhead")
