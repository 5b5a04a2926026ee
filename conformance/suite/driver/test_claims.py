"""A claim with the driver: allocated, prepared, used, undone, and the device used again."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import probe
from conformance.harness.subject import expectations, inventory
from conformance.harness.subject.life import Life, Use, no_error
from conformance.harness.target import KUBELET

pytestmark = pytest.mark.needs(KUBELET)

USE = Use()


@pytest.mark.requirement("DRA-DRV-03")
def test_a_published_device_is_allocated(life: Life) -> None:
    """A claim for the driver's class is allocated what the driver publishes."""
    claim = life.allocated(USE)

    expect.same(len(inventory.results(claim)), 1, path="status.allocation.devices.results")


@pytest.mark.requirement("DRA-DRV-04")
def test_preparing_is_answered_for_each_claim(life: Life) -> None:
    """NodePrepareResources brings one entry for the claim: what was prepared, or why not."""
    answer = life.prepared(USE)

    expectations.consistent(answer, life.world.claims.get(USE.claim))


@pytest.mark.requirement("DRA-DRV-05")
def test_a_pod_with_a_claim_runs(life: Life) -> None:
    """The container starts: every CDI device that the driver returned can be resolved."""
    life.running(USE)

    probe.first(life.world, USE.pod)


@pytest.mark.requirement("DRA-DRV-05", "DRA-WF-14")
def test_the_devices_change_the_container(life: Life) -> None:
    """With the claim a container sees variables, device nodes or mounts that it lacks without."""
    life.taken(USE)

    expectations.comes_with_the_claim(life, USE)


@pytest.mark.requirement("DRA-DRV-10")
@pytest.mark.parametrize("container", ["first", "c", "another"])
def test_each_container_has_the_devices(life: Life, container: str) -> None:
    """What comes with the claim comes to an init container and to each of two others."""
    gained = expectations.gained(life, USE)

    expectations.join(life, USE, "joining")

    expectations.has(life, "joining", container, gained)


@pytest.mark.requirement("DRA-DRV-11")
def test_pods_share_a_claim(life: Life) -> None:
    """A Pod that joins later has the devices, also where the one that came first is gone."""
    gained = expectations.gained(life, USE)
    expectations.join(life, USE, "joining")
    expectations.has(life, "joining", "c", gained)

    expectations.leave(life, USE.pod)
    expectations.join(life, USE, "late")

    expectations.has(life, "late", "c", gained)


@pytest.mark.requirement("DRA-DRV-06", "DRA-ADM-09")
def test_a_claim_is_released_with_its_pod(life: Life) -> None:
    """The Pod goes, the claim is free, and another NodeUnprepareResources is no error either."""
    claim = life.released(USE)

    no_error(life.asked_again(claim), "NodeUnprepareResources")


@pytest.mark.requirement("DRA-DRV-07")
def test_released_devices_are_used_again(life: Life) -> None:
    """What one claim has had is prepared for another: all of a node's devices if one can."""
    life.reused(lambda: expectations.used_again(life))
