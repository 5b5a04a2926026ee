"""What stands in a metadata object, and what must not."""

from __future__ import annotations

import json

import pytest

from conformance import data
from conformance.harness import expect
from conformance.harness.observe import metadata
from conformance.harness.subject.protocol import Driver, DriverHost, Wanted
from conformance.harness.target import KUBELET
from conformance.harness.world import World
from conformance.kube.objects import Object

pytestmark = [pytest.mark.needs(KUBELET), pytest.mark.driver(features=("metadata",))]

#: One value of each type that an attribute may have.
EVERY_TYPE: Object = {
    "anInt": {"int": 7},
    "aBool": {"bool": True},
    "aString": {"string": "x"},
    "aVersion": {"version": "1.2.3"},
}
#: Lists are attributes of a slice with an alpha gate only; at run time they are free.
EVERY_LIST: Object = {
    "ints": {"ints": [1, 2]},
    "bools": {"bools": [True, False]},
    "strings": {"strings": ["a", "b"]},
    "versions": {"versions": ["1.0.0", "2.0.0"]},
}
NETWORK = {
    "interfaceName": "net1",
    "ips": ["10.10.1.2/24", "2001:db8::1/64"],
    "hardwareAddress": "00:01:ec:84:fb:51",
}


@pytest.mark.requirement("DRA-MET-13")
def test_the_object_names_claim_request_and_device(world: World, driver: Driver) -> None:
    """It holds the claim's identity, the request, and driver, pool and name of the device."""
    metadata.start(world, "direct", driver)

    objects = metadata.file_of(world, driver).objects()

    claim = world.claims.get("claim")
    (result,) = claim["status"]["allocation"]["devices"]["results"]
    wanted = {"driver": driver.name, "pool": result["pool"], "name": result["device"]}
    for_claim = [metadata.expect_claim(obj, claim) for obj in objects]
    expect.same(for_claim, [None] * len(objects), path="metadata")
    expect.same([one["name"] for one in objects[0]["requests"]], ["gpu"], path="requests[].name")
    device = metadata.only_device(objects[0])
    expect.same({key: device.get(key) for key in wanted}, wanted, path="requests[0].devices[0]")


@pytest.mark.requirement("DRA-MET-13")
def test_the_object_is_valid_by_the_schema(world: World, driver: Driver) -> None:
    """Nothing but the documented fields stands in the object, each of its type."""
    metadata.start(world, "direct", driver)

    (first, *_) = metadata.file_of(world, driver).objects()

    metadata.expect_valid(first)


@pytest.mark.requirement("DRA-MET-14")
def test_attributes_of_every_type_have_one_value(world: World, host: DriverHost) -> None:
    """Scalars and lists of every type arrive with exactly the value that the driver has."""
    wanted = Wanted(
        features=("metadata",),
        devices=({"name": "gpu-0", "attributes": EVERY_TYPE},),
        extra_attributes=EVERY_LIST,
    )
    with host.drive(world, wanted) as driver:
        metadata.start(world, "direct", driver)

        (first, *_) = metadata.file_of(world, driver).objects()

    found = metadata.only_device(first).get("attributes")
    expect.same(found, {**EVERY_TYPE, **EVERY_LIST}, path="attributes")


@pytest.mark.requirement("DRA-MET-12a")
def test_published_attributes_are_in_the_file(world: World, driver: Driver) -> None:
    """Each attribute of the device in its ResourceSlice stands in the file with its value."""
    metadata.start(world, "direct", driver)

    (first, *_) = metadata.file_of(world, driver).objects()

    device = metadata.only_device(first)
    published = metadata.published(world, driver, device["name"]).get("attributes") or {}
    found = {name: device.get("attributes", {}).get(name) for name in published}
    expect.same(found, published, path="requests[0].devices[0].attributes")


@pytest.mark.requirement("DRA-MET-15")
def test_capacity_is_not_in_the_file(world: World, host: DriverHost) -> None:
    """A device with capacity has none in its metadata."""
    device = {"name": "gpu-0", "capacity": {"memory": {"value": "80Gi"}}}
    with host.drive(world, Wanted(features=("metadata",), devices=(device,))) as driver:
        metadata.start(world, "direct", driver)

        text = metadata.file_of(world, driver).text

    expect.that("80Gi" not in text and "capacity" not in text, "no capacity", observed=text)


@pytest.mark.requirement("DRA-MET-16")
def test_network_data_has_its_three_fields(world: World, host: DriverHost) -> None:
    """Interface name, addresses and hardware address arrive as the driver has them."""
    wanted = Wanted(
        features=("metadata",), devices=({"name": "nic-0"},), network_data={"nic-0": NETWORK}
    )
    with host.drive(world, wanted) as driver:
        metadata.start(world, "direct", driver)

        (first, *_) = metadata.file_of(world, driver).objects()

    found = metadata.only_device(first)
    expect.same(found.get("networkData"), NETWORK, path="networkData")


@pytest.mark.requirement("DRA-MET-25")
def test_the_example_of_the_document_is_what_a_driver_writes(
    world: World, host: DriverHost
) -> None:
    """The document's example is valid, and a driver with that device writes its attributes."""
    text = data.fixtures("manifests", "metadata", "document_example.json").read_text("utf-8")
    example = metadata.expect_valid(json.loads(text))
    device = metadata.only_device(example)
    published = {"name": device["name"], "attributes": device["attributes"]}
    with host.drive(world, Wanted(features=("metadata",), devices=(published,))) as driver:
        metadata.start(world, "direct", driver)

        (first, *_) = metadata.file_of(world, driver).objects()

    found = metadata.only_device(first)
    expect.same(found.get("attributes"), device["attributes"], path="attributes")
