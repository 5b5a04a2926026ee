"""What selects a device: attributes, capacities, and the selectors of its class."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.propose.selecting import attribute, spelled
from conformance.harness.world import World


def with_memory(name: str, memory: str, domain: str) -> dict[str, Any]:
    """Return a device with so much memory."""
    return {"name": name, "capacity": {f"{domain}/memory": {"value": memory}}}


@pytest.mark.requirement("DRA-WF-17")
@pytest.mark.parametrize(
    ("comparison", "chosen"),
    [
        pytest.param("== 0", "equal", id="as much"),
        pytest.param("> 0", "more", id="more"),
        pytest.param("< 0", "less", id="less"),
    ],
)
def test_capacities_are_compared_as_quantities(
    world: World, flow: Any, comparison: str, chosen: str
) -> None:
    """81920Mi is as much as 80Gi, and 9Gi is less."""
    sizes = {"less": "9Gi", "equal": "81920Mi", "more": "800Gi"}
    flow.publish(*(with_memory(name, size, "d.example") for name, size in sizes.items()))
    memory = 'device.capacity["d.example"].memory'
    flow.claim(flow.selecting(f"{memory}.compareTo(quantity('80Gi')) {comparison}"))
    flow.pod()

    expect.same(flow.devices(), [chosen], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-18")
@pytest.mark.parametrize(
    ("value", "expression"),
    [
        pytest.param({"bool": True}, "{a} == true", id="bool"),
        pytest.param({"int": 7}, "{a} > 6", id="int"),
        pytest.param({"string": "fast"}, '{a}.startsWith("fa")', id="string"),
        pytest.param({"version": "2.10.0"}, '{a}.isGreaterThan(semver("2.9.0"))', id="version"),
    ],
)
def test_attributes_of_each_type_select(flow: Any, value: dict[str, Any], expression: str) -> None:
    """Of two devices the one whose attribute meets the expression is taken."""
    others = {"bool": False, "int": 6, "string": "slow", "version": "2.9.0"}
    other = {kind: others[kind] for kind in value}
    flow.publish({"name": "other", **attribute(**other)}, {"name": "wanted", **attribute(**value)})
    flow.claim(flow.selecting(spelled(expression)))
    flow.pod()

    expect.same(flow.devices(), ["wanted"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-20")
@pytest.mark.parametrize("kind", ["gpu", "nic", "fpga", "a-kind-nobody-knows"])
def test_every_kind_of_device_is_matched_alike(flow: Any, kind: str) -> None:
    """The same request gets a device, whatever kind the driver says that it is."""
    flow.publish(
        {"name": "other", "attributes": {"d.example/type": {"string": "none"}}},
        {"name": kind, "attributes": {"d.example/type": {"string": kind}}},
    )
    flow.claim(flow.selecting(f'device.attributes["d.example"].type == "{kind}"'))
    flow.pod()

    expect.same(flow.devices(), [kind], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-WF-23")
def test_a_class_selects_and_configures(world: World) -> None:
    """A request without selectors gets what its class selects, with the class's configuration."""
    world.apply("workflow/configured_class")
    sizes = [
        {"name": size, "attributes": {"size": {"string": size}}} for size in ("small", "large")
    ]
    world.apply("workflow/slice", slice="slice", count=1, devices=sizes)
    request = {"name": "device", "exactly": {"deviceClassName": world.device_class}}
    world.apply("workflow/claim", claim="claim", wanted={"requests": [request]})
    world.apply("workflow/pod", pod="pod", claim="claim", place={})

    allocation = world.claims.allocated("claim")["status"]["allocation"]["devices"]

    expect.field(allocation, "results[0].device", "large")
    expect.field(allocation, "config[0].source", "FromClass")
    expect.field(allocation, "config[0].opaque.parameters", {"from": "class"})


@pytest.mark.requirement("DRA-WF-27")
def test_the_documents_gpu_template_selects_by_memory(world: World, flow: Any) -> None:
    """The GPU with 80Gi is taken, not the one with 40Gi that stands before it."""
    flow.publish(
        with_memory("gpu-40", "40Gi", "nvidia.com"), with_memory("gpu-80", "80Gi", "nvidia.com")
    )
    world.apply("workflow/large_gpu_template")
    world.apply("workflow/template_pod", pod="pod")

    pod = world.pods.scheduled("pod")

    name = pod["status"]["resourceClaimStatuses"][0]["resourceClaimName"]
    expect.same(flow.devices(name), ["gpu-80"], path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-ECO-16")
def test_the_documents_nic_template_selects_an_rdma_nic(world: World, flow: Any) -> None:
    """The NIC with rdma is taken, not the one without that stands before it."""
    flow.publish(
        {"name": "eth0", "attributes": {"dra.net/rdma": {"bool": False}}},
        {"name": "mlx0", "attributes": {"dra.net/rdma": {"bool": True}}},
    )
    world.apply("workflow/rdma_nic_template")
    world.apply("workflow/template_pod", pod="pod")

    pod = world.pods.scheduled("pod")

    name = pod["status"]["resourceClaimStatuses"][0]["resourceClaimName"]
    expect.same(flow.devices(name), ["mlx0"], path="status.allocation.devices.results")
