"""When metadata appears, changes and goes."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.nodeplugin.attach import attached, delete_pods, reachable_node
from conformance.harness.observe import files, metadata, probe
from conformance.harness.subject.protocol import Driver, DriverHost, Wanted
from conformance.harness.target import KUBELET, NODE_ACCESS
from conformance.harness.world import World

pytestmark = [pytest.mark.needs(KUBELET), pytest.mark.driver(features=("metadata",))]

DEFERRED_SECONDS = 30.0
DEFERRED = Wanted(features=("metadata",), deferred_seconds=DEFERRED_SECONDS)


@pytest.mark.requirement("DRA-MET-18a")
def test_the_first_deferred_file_identifies_the_device(world: World, host: DriverHost) -> None:
    """Generation 1 has driver, pool and name of the device, before anything else is known."""
    with host.drive(world, DEFERRED) as driver:
        metadata.start(world, "direct", driver)

        (first, *_) = metadata.file_of(world, driver).objects()
        claim = world.claims.get("claim")

    (result,) = claim["status"]["allocation"]["devices"]["results"]
    wanted = {"driver": driver.name, "pool": result["pool"], "name": result["device"]}
    device = metadata.only_device(first)
    expect.same({key: device.get(key) for key in wanted}, wanted, path="requests[0].devices[0]")


@pytest.mark.requirement("DRA-MET-07b", "DRA-MET-18b", "DRA-MET-23")
def test_an_update_replaces_the_whole_stream(world: World, host: DriverHost) -> None:
    """Every object of the updated stream has the next generation and the late attributes.

    A container that runs already may keep the file that was mounted into it: the updated one
    is read where a container starts after the update.
    """
    with host.drive(world, DEFERRED) as driver:
        metadata.start(world, "direct", driver)
        before = metadata.file_of(world, driver).objects()
        world.patience.elapse(DEFERRED_SECONDS + 5)

        metadata.start(world, "later", driver)
        after = probe.first(world, "later").named(metadata.name_of(driver)).objects()

    generations = [obj["metadata"]["generation"] for obj in after]
    expect.same(generations, [2] * len(before), path="metadata.generation")
    complete = [bool(metadata.only_device(obj).get("attributes")) for obj in after]
    expect.same(complete, [True] * len(before), path="attributes")


@pytest.mark.requirement("DRA-MET-18c")
@pytest.mark.needs(NODE_ACCESS)
def test_an_update_without_a_first_file_leaves_nothing(world: World, host: DriverHost) -> None:
    """An update that is due after the claim was unprepared makes no file again."""
    with host.drive(world, DEFERRED) as driver:
        objects = metadata.start(world, "direct", driver)
        uid = objects.of("ResourceClaim")["metadata"]["uid"]
        metadata.file_of(world, driver)
        delete_pods(world)

        world.patience.elapse(60)

        folder = reachable_node(world).plugins_dir / driver.name
        left = [path.name for path in folder.rglob("*metadata*.json") if uid in path.read_text()]
        expect.same(left, [], path="files of the driver that speak of the claim")


@pytest.mark.requirement("DRA-MET-21")
def test_a_driver_writes_its_own_devices_alone(world: World, driver: Driver) -> None:
    """Where two drivers serve one request, the file of ours holds our devices and no other."""
    second = f"{world.name}-second.example"
    with attached(world, driver=second):
        metadata.start_beside(world, driver, second)

        (first, *_) = metadata.file_of(world, driver).objects()
        wanted = metadata.allocated(world, driver.name)

    found = sorted(device["name"] for device in first["requests"][0]["devices"])
    expect.same(found, wanted, path="requests[0].devices[].name")


@pytest.mark.requirement("DRA-MET-19")
@pytest.mark.needs(NODE_ACCESS)
def test_a_request_without_a_device_has_no_file(world: World, driver: Driver) -> None:
    """A request that another driver serves has no file, and no CDI device mounts one for it."""
    second = f"{world.name}-second.example"
    with attached(world, driver=second):
        objects = metadata.start_beside(world, driver, second)
        uid = objects.of("ResourceClaim")["metadata"]["uid"]

        report = probe.first(world, "pod")
        specs = files.cdi_specs(reachable_node(world).cdi_dir, uid)

    requests = sorted(path.split("/")[-2] for path in report.files)
    expect.same(requests, ["both"], path="requests that have a metadata file")
    mounted = sorted({path.split("/")[-2] for path in files.mounted(specs)})
    expect.same(mounted, ["both"], path="requests that a CDI device mounts a file for")


@pytest.mark.requirement("DRA-MET-20a")
def test_the_file_stays_for_the_life_of_the_container(world: World, driver: Driver) -> None:
    """Two hours after its start the container still has the same file."""
    metadata.start(world, "direct", driver)
    before = metadata.file_of(world, driver)

    world.patience.elapse(7200)

    after = probe.parse(world.pods.log("pod"))[-1].named(metadata.name_of(driver))
    expect.same(after, before, path="the file")


@pytest.mark.requirement("DRA-MET-20b")
@pytest.mark.needs(NODE_ACCESS)
def test_cdi_specs_go_with_the_claim(world: World, driver: Driver) -> None:
    """Nothing speaks of the claim in the CDI directory once it is unprepared."""
    uid = metadata.start(world, "direct", driver).of("ResourceClaim")["metadata"]["uid"]
    metadata.file_of(world, driver)
    folder = reachable_node(world).cdi_dir

    delete_pods(world)

    left = sorted(files.cdi_specs(folder, uid))
    expect.same(left, [], path="CDI specs after the claim was unprepared")


@pytest.mark.requirement("DRA-MET-22a")
@pytest.mark.needs(NODE_ACCESS)
def test_metadata_is_mounted_by_a_spec_in_the_cdi_directory(world: World, driver: Driver) -> None:
    """A spec in the directory that the runtime reads mounts the file of the claim."""
    uid = metadata.start(world, "direct", driver).of("ResourceClaim")["metadata"]["uid"]
    metadata.file_of(world, driver)

    specs = files.cdi_specs(reachable_node(world).cdi_dir, uid)

    names = sorted({path.rpartition("/")[2] for path in files.mounted(specs)})
    expect.same(names, [metadata.name_of(driver)], path="files that the claim's specs mount")


@pytest.mark.requirement("DRA-MET-22b")
@pytest.mark.needs(NODE_ACCESS)
def test_cdi_specs_declare_the_lowest_version(world: World, driver: Driver) -> None:
    """Each spec of the claim declares the lowest CDI version that its content needs."""
    uid = metadata.start(world, "direct", driver).of("ResourceClaim")["metadata"]["uid"]
    metadata.file_of(world, driver)

    specs = files.cdi_specs(reachable_node(world).cdi_dir, uid)

    declared = {name: spec["cdiVersion"] for name, spec in specs.items()}
    lowest = {name: files.lowest_cdi_version(spec) for name, spec in specs.items()}
    expect.same(declared, lowest, path="cdiVersion")
