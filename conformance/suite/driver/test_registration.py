"""The driver and the registrar directory of its kubelet."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.subject.life import Life
from conformance.harness.target import KUBELET, NODE_ACCESS


@pytest.mark.requirement("DRA-DRV-01")
@pytest.mark.needs(KUBELET)
def test_the_driver_registers(life: Life) -> None:
    """A kubelet finds the driver by its socket, and learns its name and services."""
    life.known_to_its_kubelet()


@pytest.mark.requirement("DRA-DRV-09")
@pytest.mark.needs(NODE_ACCESS)
def test_the_socket_goes_with_the_driver(life: Life) -> None:
    """After SIGTERM no registration socket is left for the kubelet to dial."""
    life.inventory()
    socket = life.socket()

    life.driver.terminate()

    expect.that(not socket.exists(), "no socket", path="registrar directory", observed=socket.name)
