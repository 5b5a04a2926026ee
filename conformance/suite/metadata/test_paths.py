"""Where a container finds the metadata of its devices, and which container does."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.observe import metadata, probe
from conformance.harness.subject.protocol import Driver
from conformance.harness.target import KUBELET
from conformance.harness.world import World

pytestmark = [pytest.mark.needs(KUBELET), pytest.mark.driver(features=("metadata",))]


@pytest.mark.requirement("DRA-MET-01", "DRA-MET-02", "DRA-MET-23")
def test_a_direct_claim_has_its_file_by_claim_and_request(world: World, driver: Driver) -> None:
    """The path is resourceclaims/<claimName>/<requestName>/<driverName>-metadata.json."""
    metadata.start(world, "direct", driver)

    report = probe.first(world, "pod")

    wanted = f"{probe.METADATA_ROOT}/resourceclaims/claim/gpu/{driver.name}-metadata.json"
    expect.same(sorted(report.files), [wanted], path="metadata files of the container")


@pytest.mark.requirement("DRA-MET-01", "DRA-MET-03", "DRA-MET-23")
def test_a_generated_claim_has_its_file_by_the_name_in_the_pod(
    world: World, driver: Driver
) -> None:
    """The path is resourceclaimtemplates/<podClaimName>/<requestName>/ and the file's name."""
    metadata.start(world, "template", driver)

    report = probe.first(world, "pod")

    wanted = f"{probe.METADATA_ROOT}/resourceclaimtemplates/mine/gpu/{driver.name}-metadata.json"
    expect.same(sorted(report.files), [wanted], path="metadata files of the container")
    (obj, *_) = report.files[wanted].objects()
    expect.field(obj, "podClaimName", "mine")


@pytest.mark.requirement("DRA-MET-04")
def test_a_prioritized_list_has_the_parent_in_the_path(world: World, driver: Driver) -> None:
    """The path names the request alone, requests[].name the request and its subrequest."""
    metadata.start(world, "prioritized", driver)

    file = metadata.file_of(world, driver)

    names = [[request["name"] for request in obj["requests"]] for obj in file.objects()]
    expect.same(names, [["gpu/any"]] * len(names), path="requests[].name")


@pytest.mark.requirement("DRA-MET-08", "DRA-MET-23")
def test_the_file_is_read_only_in_the_container(world: World, driver: Driver) -> None:
    """The container can't write to its metadata file."""
    metadata.start(world, "direct", driver)

    file = metadata.file_of(world, driver)

    expect.same(file.mode, "ro", path="mode of the file")


@pytest.mark.requirement("DRA-MET-09")
def test_a_container_without_the_claim_has_no_file(world: World, driver: Driver) -> None:
    """Of two containers of a Pod only the one that requests the device sees a file."""
    metadata.start(world, "direct", driver)

    asking = probe.first(world, "pod", "c")
    other = probe.first(world, "pod", "other")

    expect.same(len(asking.files), 1, path="files of the container that requests the device")
    expect.same(sorted(other.files), [], path="files of the other container")


@pytest.mark.requirement("DRA-MET-28")
def test_the_runtime_applies_the_drivers_cdi_spec(world: World, driver: Driver) -> None:
    """What the driver's CDI spec mounts is in the container that the runtime made."""
    metadata.start(world, "direct", driver)

    file = metadata.file_of(world, driver)

    expect.present({"text": file.text}, "text")


@pytest.mark.requirement("DRA-MET-26")
@pytest.mark.driver(without=("metadata",))
def test_a_driver_that_did_not_enable_it_writes_no_file(world: World, driver: Driver) -> None:
    """Without the feature a container has its device and no metadata file."""
    metadata.start(world, "direct", driver)

    report = probe.first(world, "pod")

    expect.same(sorted(report.files), [], path="metadata files of the container")
