"""Which partitions go together by their compatibility groups."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

RESULTS = "status.allocation.devices.results"

pytestmark = pytest.mark.variant(gates={"DRADeviceCompatibilityGroups": True})


def sets(*names: str) -> list[dict[str, Any]]:
    """Return counter sets with more than is drawn from them."""
    return [{"name": name, "counters": {"slots": {"value": "9"}}} for name in names]


def drawing(name: str, *groups: str, counter_set: str = "gpu") -> dict[str, Any]:
    """Return a partition that draws from a counter set, with these groups."""
    draw: dict[str, Any] = {"counterSet": counter_set, "counters": {"slots": {"value": "1"}}}
    if groups:
        draw["compatibilityGroups"] = list(groups)
    return {"name": name, "consumesCounters": [draw]}


def published(flow: Any, *devices: dict[str, Any], of: tuple[str, ...] = ("gpu",)) -> None:
    """Publish a pool with these partitions that draw from these sets."""
    flow.world.apply("shared_devices/pool", counters=sets(*of), devices=list(devices))


def held(flow: Any) -> None:
    """Let a Pod have the first device of the pool, and create a claim with a Pod of its own."""
    flow.claim(claim="holder")
    flow.pod("holder", claim="holder")
    expect.same(flow.devices("holder"), ["one"], path=RESULTS)
    flow.claim()
    flow.pod()


@pytest.mark.requirement("DRA-SHD-27")
def test_devices_of_different_groups_are_not_given_together(flow: Any) -> None:
    """The second device is of another group than the one in use; the third one is of its own."""
    published(flow, drawing("one", "mig"), drawing("two", "vgpu"), drawing("three", "mig"))

    held(flow)

    expect.same(flow.devices(), ["three"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-28")
def test_devices_with_a_group_in_common_are_given_together(flow: Any) -> None:
    """The device in use has another group besides."""
    published(flow, drawing("one", "mig", "vgpu"), drawing("two", "vgpu"))

    held(flow)

    expect.same(flow.devices(), ["two"], path=RESULTS)


@pytest.mark.requirement("DRA-SHD-29")
def test_devices_that_agree_in_pairs_alone_are_not_given_together(flow: Any) -> None:
    """Each two devices have a group in common, and no group is that of all three."""
    published(flow, drawing("one", "a", "b"), drawing("two", "b", "c"), drawing("three", "c", "a"))
    flow.claim(flow.exactly(count=3))
    flow.pod()

    flow.refused()


@pytest.mark.requirement("DRA-SHD-30")
@pytest.mark.parametrize(
    ("used", "wanted"),
    [
        pytest.param((), ("mig",), id="device in use has none"),
        pytest.param(("mig",), (), id="device that is wanted has none"),
    ],
)
def test_a_device_without_groups_is_not_given_beside_one_with_groups(
    flow: Any, used: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    """The counters would do for both."""
    published(flow, drawing("one", *used), drawing("two", *wanted))

    held(flow)

    flow.refused()


@pytest.mark.requirement("DRA-SHD-31")
def test_groups_of_different_counter_sets_are_not_compared(flow: Any) -> None:
    """Both devices are of a pool, and draw from a set each."""
    devices = [drawing("one", "mig"), drawing("two", "vgpu", counter_set="link")]
    published(flow, *devices, of=("gpu", "link"))

    held(flow)

    expect.same(flow.devices(), ["two"], path=RESULTS)
