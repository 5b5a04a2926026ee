"""The gate of the partition summary, and those without which no component starts with it."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.programs import component as components
from conformance.harness.programs.component import Component

#: Every gate that the summary needs, and its own.
TOGETHER = {
    "DRAPartitionableDevices": True,
    "DRAPartitionableDevicesType": True,
    "DRAResourcePoolStatus": True,
}


@pytest.mark.requirement("DRA-PST-19")
@pytest.mark.variant(gates={"DRAResourcePoolStatus": True, "DRAPartitionableDevicesType": True})
@pytest.mark.parametrize("lacking", ["DRAResourcePoolStatus", "DRAPartitionableDevices"])
def test_a_component_refuses_the_gate_without_what_it_needs(
    component: Component, lacking: str
) -> None:
    """With the gate on and one that it needs off, the component ends; with all on, it starts."""
    components.starts(component, TOGETHER)

    said = component.refusal({**TOGETHER, lacking: False})

    expect.that(bool(said), f"no start without {lacking}", observed="it started")
