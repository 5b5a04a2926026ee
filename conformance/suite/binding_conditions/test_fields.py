"""The three fields of a device in a ResourceSlice: accepted, and dropped without the gate."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.world import World

READY = "conformance.test/ready"
FAILED = "conformance.test/failed"


@pytest.mark.requirement("DRA-BND-15")
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["DeviceAttached", "DeviceInitialized"], id="names without a domain"),
        pytest.param(["dra.example.com/is-prepared"], id="a name with a domain"),
        pytest.param(["DeviceAttached", "dra.example.com/is-prepared"], id="both in one list"),
    ],
)
def test_condition_names_with_and_without_domain_are_accepted(
    world: World, names: list[str]
) -> None:
    """Both spellings are accepted as binding condition, and come back as they were written."""
    with expect.accepted("a ResourceSlice with these condition types"):
        objects = world.apply(
            "binding_conditions/slice_fields", conditions=names, failures=[FAILED]
        )

    stored = world.read(objects.of("ResourceSlice"))

    expect.field(stored, "spec.devices[0].bindingConditions", names)


@pytest.mark.requirement("DRA-BND-15")
@pytest.mark.parametrize("name", ["PreparingFailed", "dra.example.com/preparing-failed"])
def test_failure_condition_names_with_and_without_domain_are_accepted(
    world: World, name: str
) -> None:
    """Both spellings are accepted as failure condition, and come back as they were written."""
    with expect.accepted("a ResourceSlice with this condition type"):
        objects = world.apply(
            "binding_conditions/slice_fields", conditions=[READY], failures=[name]
        )

    stored = world.read(objects.of("ResourceSlice"))

    expect.field(stored, "spec.devices[0].bindingFailureConditions", [name])


@pytest.mark.requirement("DRA-BND-08")
@pytest.mark.variant(gates={"DRADeviceBindingConditions": False})
@pytest.mark.parametrize("field", ["bindingConditions", "bindingFailureConditions", "bindsToNode"])
def test_the_fields_are_dropped_without_the_gate(world: World, field: str) -> None:
    """With the gate off, a slice is stored without the field that its author wrote."""
    objects = world.apply("binding_conditions/slice_fields", conditions=[READY], failures=[FAILED])

    stored = world.read(objects.of("ResourceSlice"))

    expect.field(stored, "spec.devices[0].name", "device-1")
    expect.absent(stored, f"spec.devices[0].{field}")


@pytest.mark.requirement("DRA-BND-14")
@pytest.mark.variant(gates={"DRADeviceBindingConditions": False})
def test_nobody_waits_without_the_gate(world: World) -> None:
    """With the gate off, a Pod is bound although no condition was ever reported."""
    world.apply("binding_conditions/one_device", conditions=[READY], failures=[FAILED])

    world.pods.scheduled("pod")

    expect.absent(world.claims.get("claim"), "status.devices")
