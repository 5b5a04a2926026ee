"""How long a kubelet and its drivers are busy with claims, and how many are in use."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

OPERATIONS = "dra_operations_duration_seconds_count"
CALLS = "dra_grpc_operations_duration_seconds_count"
IN_USE = "dra_resource_claims_in_use"

SERVICE = "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin"


def run_and_end(flow: Any) -> None:
    """Run a Pod with the claim, and see it gone."""
    flow.pod()
    flow.world.pods.running("pod")
    flow.world.pods.delete("pod")
    flow.world.pods.gone("pod")


@pytest.mark.requirement("DRA-ADM-13")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("operation", ["PrepareResources", "UnprepareResources"])
def test_the_kubelet_tells_how_long_claims_take(flow: Any, readings: Any, operation: str) -> None:
    """After a Pod has come and gone, both operations have been counted once more."""
    before = readings.kubelet().value(OPERATIONS, operation_name=operation)

    run_and_end(flow)

    now = readings.kubelet().present(OPERATIONS, operation_name=operation)
    expect.that(now > before, f"more than {before:g}", path=OPERATIONS, observed=now)


@pytest.mark.requirement("DRA-ADM-14")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("method", ["NodePrepareResources", "NodeUnprepareResources"])
def test_the_kubelet_tells_how_long_drivers_take(flow: Any, readings: Any, method: str) -> None:
    """After a Pod has come and gone, the driver has been called by both methods."""
    run_and_end(flow)

    labels = {"driver_name": flow.world.driver, "method_name": f"{SERVICE}/{method}"}
    calls = readings.kubelet().present(CALLS, grpc_status_code="OK", **labels)
    expect.that(calls >= 1, "at least one call", path=CALLS, observed=calls)


@pytest.mark.requirement("DRA-MTR-01")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
@pytest.mark.usefixtures("served")
def test_a_claim_in_use_is_counted_for_its_driver(flow: Any, readings: Any) -> None:
    """While a Pod runs with a claim, one claim of the driver is in use."""
    flow.pod()
    flow.world.pods.running("pod")

    in_use = readings.kubelet().present(IN_USE, driver_name=flow.world.driver)

    expect.same(in_use, 1.0, path=IN_USE)


@pytest.mark.requirement("DRA-MTR-02")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
@pytest.mark.usefixtures("served")
def test_a_claim_that_was_given_back_is_not_counted(flow: Any, readings: Any) -> None:
    """After the Pod is gone no claim of the driver is in use."""
    run_and_end(flow)

    readings.until(
        "no claim of the driver is in use",
        lambda: readings.kubelet().value(IN_USE, driver_name=flow.world.driver) == 0,
    )


@pytest.mark.requirement("DRA-MTR-03")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
@pytest.mark.usefixtures("served")
def test_claims_of_all_drivers_are_counted_together(flow: Any, readings: Any) -> None:
    """The driver name <any> stands for all drivers: at least this claim is in use."""
    flow.pod()
    flow.world.pods.running("pod")

    in_use = readings.kubelet().present(IN_USE, driver_name="<any>")

    expect.that(in_use >= 1, "at least one claim", path=IN_USE, observed=in_use)


@pytest.mark.requirement("DRA-MTR-04")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
def test_a_preparation_that_fails_is_counted_as_failed(
    world: World, flow: Any, served: DriverDouble, readings: Any
) -> None:
    """The driver cannot prepare the claim: an operation with an error has been counted."""
    failed = {"operation_name": "PrepareResources", "is_error": "true"}
    before = readings.kubelet().value(OPERATIONS, **failed)
    served.plan.fail("NodePrepareResources", error="not yet")
    flow.pod()

    world.pods.scheduled("pod")

    readings.until(
        "a failed preparation is counted",
        lambda: readings.kubelet().value(OPERATIONS, **failed) > before,
    )


@pytest.mark.requirement("DRA-MTR-05")
@pytest.mark.needs(KUBELET, NODE_ACCESS)
def test_a_call_that_fails_is_counted_by_how_it_ended(
    flow: Any, served: DriverDouble, readings: Any
) -> None:
    """The driver fails the call itself: it is counted, and not under OK."""
    labels = {"driver_name": flow.world.driver, "method_name": f"{SERVICE}/NodePrepareResources"}
    served.plan.fail("NodePrepareResources", error="not yet", whole_call=True)
    flow.pod()

    readings.until(
        "a call that failed is counted", lambda: readings.kubelet().value(CALLS, **labels) >= 1
    )

    succeeded = readings.kubelet().value(CALLS, grpc_status_code="OK", **labels)
    expect.same(succeeded, 0, path=CALLS)
