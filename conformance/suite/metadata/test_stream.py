"""A metadata file is a stream of versioned objects."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import metadata
from conformance.harness.subject.protocol import Driver, DriverHost, Wanted
from conformance.harness.subject.refusal import refusal
from conformance.harness.target import KUBELET
from conformance.harness.world import World
from conformance.kube.objects import Object

pytestmark = [pytest.mark.needs(KUBELET), pytest.mark.driver(features=("metadata",))]


def versions(objects: list[Object]) -> list[str]:
    """Return the version of each object, without the group."""
    return [obj["apiVersion"].rpartition("/")[2] for obj in objects]


def body(obj: Object) -> Object:
    """Return an object without its version."""
    return {key: value for key, value in obj.items() if key != "apiVersion"}


@pytest.mark.requirement("DRA-MET-05a", "DRA-MET-33", "DRA-MET-23")
def test_every_object_says_what_it_is(world: World, driver: Driver) -> None:
    """The stream holds at least one object, each with kind DeviceMetadata and the group."""
    metadata.start(world, "direct", driver)

    objects = metadata.file_of(world, driver).objects()

    expect.that(bool(objects), "at least one object", path="stream", observed=objects)
    kinds = {(obj.get("kind"), obj.get("apiVersion", "").rpartition("/")[0]) for obj in objects}
    expect.same(kinds, {("DeviceMetadata", metadata.GROUP)}, path="kind and group")


@pytest.mark.requirement("DRA-MET-05b")
@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param(("v1beta1", "v1alpha1"), id="newest first"),
        pytest.param(("v1alpha1", "v1beta1"), id="newest last"),
        pytest.param(("v1beta1",), id="one version"),
    ],
)
def test_the_same_data_stands_once_per_version_in_the_order_of_the_driver(
    world: World, host: DriverHost, wanted: tuple[str, ...]
) -> None:
    """The stream has the configured versions in their order, alike but for the version."""
    with host.drive(world, Wanted(features=("metadata",), metadata_versions=wanted)) as driver:
        metadata.start(world, "direct", driver)

        objects = metadata.file_of(world, driver).objects()

    expect.same(tuple(versions(objects)), wanted, path="versions")
    expect.same([body(obj) for obj in objects], [body(objects[0])] * len(wanted), path="objects")


@pytest.mark.requirement("DRA-MET-10a")
def test_v1beta1_is_among_the_versions(world: World, driver: Driver) -> None:
    """The stream holds an object of v1beta1."""
    metadata.start(world, "direct", driver)

    found = versions(metadata.file_of(world, driver).objects())

    expect.that("v1beta1" in found, "v1beta1 in the stream", path="versions", observed=found)


@pytest.mark.requirement("DRA-MET-10b")
def test_the_newest_version_is_first(world: World, driver: Driver) -> None:
    """The first object of the stream is of the newest version in it."""
    metadata.start(world, "direct", driver)

    found = versions(metadata.file_of(world, driver).objects())

    expect.same(found[0], "v1beta1", path="first version")


@pytest.mark.requirement("DRA-MET-11")
@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param((), id="no version"),
        pytest.param(("v1alpha1",), id="without v1beta1"),
        pytest.param(("v1beta1", "v9"), id="an unknown version"),
    ],
)
def test_a_plugin_with_wrong_versions_does_not_start(
    world: World, host: DriverHost, wanted: tuple[str, ...]
) -> None:
    """The plugin fails at its start."""
    refused = refusal(host, world, Wanted(features=("metadata",), metadata_versions=wanted))

    expect.that(bool(refused), "a plugin that refuses to start", observed="it started")


@pytest.mark.requirement("DRA-MET-07a", "DRA-MET-17", "DRA-MET-23")
def test_the_first_file_has_generation_1_and_is_whole(world: World, driver: Driver) -> None:
    """What the container reads first is of generation 1, with the attributes of the device."""
    metadata.start(world, "direct", driver)

    objects = metadata.file_of(world, driver).objects()

    generations = {obj["metadata"]["generation"] for obj in objects}
    expect.same(generations, {1}, path="metadata.generation")
    expect.present(metadata.only_device(objects[0]), "attributes")
