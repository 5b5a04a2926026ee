"""When a kubelet removes the slices of a driver, and when it does not."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.target import KUBELET, NODE_ACCESS

pytestmark = pytest.mark.needs(KUBELET, NODE_ACCESS)


@pytest.mark.requirement("DRA-KUB-12a")
def test_the_slices_of_a_driver_go_with_its_registration(
    served: DriverDouble, on_node: Any
) -> None:
    """A driver that has taken its registration back loses its slices."""
    served.stop()

    on_node.slices_gone()


@pytest.mark.requirement("DRA-KUB-12b")
def test_the_slices_of_a_driver_that_is_not_served_go(served: DriverDouble, on_node: Any) -> None:
    """A driver whose service has ended loses its slices though its registration is there."""
    served.cease()

    on_node.slices_gone()


@pytest.mark.requirement("DRA-KUB-12c")
def test_the_slices_of_a_driver_that_never_served_go(on_node: Any) -> None:
    """A driver that is registered and never listens loses its slices."""
    on_node.publish("device-1")

    with on_node.offered(on_node.double()) as double:
        on_node.answered(double, taken=True)
        on_node.slices_gone()


@pytest.mark.requirement("DRA-KUB-13")
def test_the_slices_of_another_driver_stay(
    served: DriverDouble, other: DriverDouble, on_node: Any
) -> None:
    """With one driver gone its slices go, and those of a driver that is there stay."""
    served.stop()

    on_node.slices_gone()
    on_node.slices_stay("claims-quiet", driver=other.driver)


@pytest.mark.requirement("DRA-KUB-14")
def test_the_slices_of_a_driver_that_is_soon_back_stay(served: DriverDouble, on_node: Any) -> None:
    """A driver that is back within 30 seconds, as after an update, keeps its slices."""
    served.stop()
    on_node.slices_stay("driver-away")

    served.start()

    on_node.slices_stay("driver-away-for-good")
