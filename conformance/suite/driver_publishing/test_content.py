"""What stands in the slices."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import publication
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import World


@pytest.mark.requirement("DRA-PUB-01")
def test_every_counter_is_in_its_pool(published: Inventory) -> None:
    """What a device draws from is there, in the same pool."""
    missing = publication.unresolved_counters(published)

    expect.same(missing, [], path="spec.devices[].consumesCounters[]")


@pytest.mark.requirement("DRA-PUB-02")
def test_own_names_have_no_domain(published: Inventory, driver: Driver) -> None:
    """The driver's own attributes and capacities are named without its domain."""
    qualified = publication.qualified_by_itself(published, driver.name)

    expect.same(qualified, [], path="spec.devices[].attributes")


@pytest.mark.requirement("DRA-PUB-03")
def test_standard_attributes_have_their_form(published: Inventory) -> None:
    """PCI addresses, roots and NUMA nodes are written as every driver writes them."""
    unusual = publication.unusual(published)

    expect.same(unusual, [], path="spec.devices[].attributes")


@pytest.mark.requirement("DRA-PUB-07")
def test_slices_go_with_their_node(world: World, published: Inventory) -> None:
    """A slice that names a node is owned by that Node."""
    ownerless = publication.ownerless(world, published)

    expect.same(ownerless, [], path="metadata.ownerReferences")
