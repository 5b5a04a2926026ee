"""The slices of a driver: there, complete, consistent, and telling something."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life


@pytest.mark.requirement("DRA-DRV-02", "DRA-WF-01")
def test_devices_are_published(life: Life) -> None:
    """There are ResourceSlices with the driver's name, and devices in them."""
    published = life.published()

    expect.that(bool(published.names), "devices", path="spec.devices", observed=published.slices)


@pytest.mark.requirement("DRA-WF-24")
def test_every_slice_says_where_its_devices_are(life: Life) -> None:
    """Each slice names one node, a selector of nodes, all nodes, or leaves it to its devices."""
    published = life.inventory()

    places = [len(inventory.place(one)) for one in published.slices]

    expect.same(places, [1] * len(places), path="spec", hint=f"one of {inventory.PLACES}")


@pytest.mark.requirement("DRA-WF-24")
def test_every_device_is_described(life: Life) -> None:
    """Each device has attributes or capacity by which it can be chosen."""
    published = life.inventory()

    bare = [one["name"] for one in published.devices if not inventory.is_described(one)]

    expect.same(bare, [], path="spec.devices[]", hint="attributes or capacity")


@pytest.mark.requirement("DRA-DRV-08")
def test_every_pool_has_one_complete_generation(life: Life) -> None:
    """A pool ends up with one generation, and as many slices of it as they say."""
    life.inventory()

    life.world.until(
        "every pool is complete",
        lambda: inventory.complete(life.inventory()),
        bound="slice-published",
    )


@pytest.mark.requirement("DRA-DRV-08")
def test_device_names_are_unique_in_their_pool(life: Life) -> None:
    """No two devices of a pool have one name."""
    published = life.inventory()

    inventory.unique(published)


@pytest.mark.requirement("DRA-DRV-08")
def test_slices_of_a_node_name_that_node(life: Life) -> None:
    """A slice that names a node names one that exists: the one on which the driver runs."""
    published = life.inventory()

    inventory.placed(published, inventory.known_nodes(life.world, life.driver.node))
