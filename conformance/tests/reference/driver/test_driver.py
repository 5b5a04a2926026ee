"""The bundled driver with the kubelet: from published slices to what a container sees."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

import conformance
from conformance.reference.driver.cdi import CdiDevice, spec_of
from conformance.reference.driver.config import (
    ConfigurationError,
    DriverConfig,
    HealthConfig,
    MetadataConfig,
)
from conformance.reference.driver.driver import ExampleDriver
from conformance.tests.reference.kubelet.rig import NODE, Rig, scenario

NAME = "gpu.example.com"
REPORT = Path(conformance.__file__).parent.parent / "fixtures" / "probes" / "report.sh"
PROBE = {
    "command": ["sh", "-c", REPORT.read_text("utf-8")],
    "env": [{"name": "PROBE_SLEEP", "value": "9999"}],
}
ROOT = "/var/run/kubernetes.io/dra-device-attributes"


def devices(count: int = 2) -> list[dict[str, Any]]:
    return [
        {"name": f"gpu-{i}", "attributes": {"model": {"string": "A"}, "index": {"int": i}}}
        for i in range(count)
    ]


def driver_of(rig: Rig, **config: Any) -> ExampleDriver:
    config.setdefault("devices", devices())
    return ExampleDriver(
        DriverConfig(name=NAME, **config),
        rig.client,
        directories=rig.directories,
        clock=rig.clock,
        faults=rig.faults,
    )


async def slices(rig: Rig) -> list[dict[str, Any]]:
    items, _ = await rig.client.list("resourceslices")
    return items


async def start_probe(rig: Rig, name: str = "p", **result: Any) -> dict[str, Any]:
    claim = await rig.allocate(await rig.create_claim(name), NAME, **result)
    await rig.reserve(claim, await rig.create_pod(name, claim=name, **PROBE))
    return await rig.phase(name, "Running")


async def report(rig: Rig, name: str = "p") -> list[str]:
    """Return the last report of a probe."""
    return (await rig.client.log(name, "default")).split("end\n")[-2].splitlines()


def files(lines: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the objects of each file in a report."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        if line.startswith("file "):
            _, path, content = line.split(" ")
            text, objects = base64.b64decode(content).decode(), []
            while text.strip():
                one, end = json.JSONDecoder().raw_decode(text.lstrip())
                text = text.lstrip()[end:]
                objects.append(one)
            found[path] = objects
    return found


@scenario
async def test_publishes_a_complete_pool_owned_by_its_node(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig, devices=devices(130)))
    node = await rig.client.get("nodes", NODE)

    assert driver.registered
    found = await slices(rig)
    assert sorted(len(item["spec"]["devices"]) for item in found) == [2, 128]
    for item in found:
        owner = item["metadata"]["ownerReferences"][0]
        assert (owner["uid"], owner["controller"]) == (node["metadata"]["uid"], True)
        assert item["spec"]["pool"] == {
            "name": NODE,
            "generation": 1,
            "resourceSliceCount": 2,
        }
    await rig.client.delete("resourceslices", found[0]["metadata"]["name"])
    await rig.settle()

    again = await slices(rig)
    assert len(again) == 2
    assert {item["spec"]["pool"]["generation"] for item in again} == {1}


@scenario
async def test_other_devices_are_another_generation(rig: Rig) -> None:
    driver = await rig.add(driver_of(rig))

    driver.publish(DriverConfig(name=NAME, devices=devices(5)))
    await rig.settle()

    (item,) = await slices(rig)
    assert len(item["spec"]["devices"]) == 5
    assert item["spec"]["pool"]["generation"] == 2


@scenario
async def test_slices_return_after_a_kubelet_restart(rig: Rig) -> None:
    await rig.add(driver_of(rig))

    await rig.restart_kubelet()
    await rig.settle()

    assert len(await slices(rig)) == 1


@scenario
async def test_container_sees_its_device_and_nothing_is_left_behind(rig: Rig) -> None:
    await rig.add(driver_of(rig))

    pod = await start_probe(rig)
    lines = await report(rig)
    claim = (await rig.client.get("resourceclaims", "p", "default"))["metadata"]["uid"]

    assert "env DRA_RESOURCE_DRIVER_NAME=gpu.example.com" in lines
    assert "env GPU_DEVICE_GPU_0=gpu-0" in lines
    assert f"env GPU_DEVICE_GPU_0_RESOURCE_CLAIM={claim}" in lines
    assert not files(lines)
    (spec,) = rig.directories.cdi_dir.iterdir()
    assert claim in spec.name
    status = pod["status"]["containerStatuses"][0]["allocatedResourcesStatus"][0]
    assert status["resources"][0]["resourceID"] == f"{NAME}/device={claim}-gpu-0"
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")
    assert list(rig.directories.cdi_dir.iterdir()) == []


@scenario
async def test_device_that_was_not_published_is_refused(rig: Rig) -> None:
    await rig.add(driver_of(rig))
    claim = await rig.allocate(await rig.create_claim("p"), NAME, device="gpu-77")
    await rig.reserve(claim, await rig.create_pod("p", claim="p"))

    await rig.advance(12)

    status = (await rig.pod("p"))["status"]["containerStatuses"][0]
    assert "gpu-77 is not allocatable" in status["state"]["waiting"]["message"]


@scenario
async def test_prepared_claims_survive_the_driver(rig: Rig) -> None:
    first = await rig.add(driver_of(rig))
    await start_probe(rig)

    await first.stop()
    await rig.add(driver_of(rig))
    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")

    assert list(rig.directories.cdi_dir.iterdir()) == []


@scenario
async def test_metadata_is_there_when_the_container_starts(rig: Rig) -> None:
    await rig.add(
        driver_of(
            rig,
            metadata=MetadataConfig(),
            network_data={"gpu-0": {"interfaceName": "net1", "ips": ["10.0.0.1/24"]}},
        )
    )
    await start_probe(rig)

    lines = await report(rig)

    path = f"{ROOT}/resourceclaims/p/gpu/{NAME}-metadata.json"
    assert f"mount {path} ro" in lines
    newest, older = files(lines)[path]
    claim = (await rig.client.get("resourceclaims", "p", "default"))["metadata"]["uid"]
    assert newest == {
        "kind": "DeviceMetadata",
        "apiVersion": "metadata.resource.k8s.io/v1beta1",
        "metadata": {"name": "p", "namespace": "default", "uid": claim, "generation": 1},
        "requests": [
            {
                "name": "gpu",
                "devices": [
                    {
                        "driver": NAME,
                        "pool": "pool",
                        "name": "gpu-0",
                        "attributes": {"model": {"string": "A"}, "index": {"int": 0}},
                        "networkData": {"interfaceName": "net1", "ips": ["10.0.0.1/24"]},
                    }
                ],
            }
        ],
    }
    assert older == {**newest, "apiVersion": "metadata.resource.k8s.io/v1alpha1"}


@scenario
async def test_subrequest_stands_in_the_file_and_not_in_its_path(rig: Rig) -> None:
    await rig.add(driver_of(rig, metadata=MetadataConfig(versions=("v1beta1",))))
    claim = await rig.client.create(
        "resourceclaims",
        {
            "metadata": {
                "name": "p",
                "namespace": "default",
                "annotations": {"resource.kubernetes.io/pod-claim-name": "mine"},
            },
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "gpu",
                            "firstAvailable": [{"name": "big", "deviceClassName": "gpu"}],
                        }
                    ]
                }
            },
        },
    )
    claim = await rig.allocate(claim, NAME, request="gpu/big")
    await rig.reserve(claim, await rig.create_pod("p", claim="p", **PROBE))
    await rig.phase("p", "Running")

    ((path, (content,)),) = files(await report(rig)).items()

    assert path == f"{ROOT}/resourceclaimtemplates/mine/gpu/{NAME}-metadata.json"
    assert content["podClaimName"] == "mine"
    assert content["requests"][0]["name"] == "gpu/big"


@scenario
async def test_deferred_metadata_begins_with_identity_and_grows(rig: Rig) -> None:
    await rig.add(driver_of(rig, metadata=MetadataConfig(deferred_seconds=20)))
    await start_probe(rig)

    ((_, first),) = files(await report(rig)).items()
    await rig.advance(21)
    ((_, second),) = files(await report(rig)).items()

    assert first[0]["requests"][0]["devices"] == [{"driver": NAME, "pool": "pool", "name": "gpu-0"}]
    assert [one["metadata"]["generation"] for one in [*first, *second]] == [1, 1, 2, 2]
    assert second[0]["requests"][0]["devices"][0]["attributes"]["index"] == {"int": 0}


@scenario
async def test_no_device_prepared_is_no_file(rig: Rig) -> None:
    await rig.add(driver_of(rig, metadata=MetadataConfig(), without_node_part=frozenset({"gpu-0"})))

    await start_probe(rig)

    assert not files(await report(rig))
    assert not list(rig.directories.cdi_dir.glob("*metadata*"))


@scenario
async def test_metadata_goes_with_the_claim(rig: Rig) -> None:
    await rig.add(driver_of(rig, metadata=MetadataConfig()))
    await start_probe(rig)

    await rig.client.delete("pods", "p", "default")
    await rig.gone("p")

    data = rig.directories.plugins_dir / NAME / "dra-device-metadata"
    assert list(data.iterdir()) == []
    assert list(rig.directories.cdi_dir.iterdir()) == []


@pytest.mark.parametrize(
    "versions",
    [
        pytest.param((), id="none"),
        pytest.param(("v1alpha1",), id="without-the-newest"),
        pytest.param(("v1beta1", "v9"), id="unknown"),
    ],
)
@scenario
async def test_unusable_metadata_versions_stop_the_driver_at_start(
    rig: Rig, versions: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigurationError):
        driver_of(rig, metadata=MetadataConfig(versions=versions))


@scenario
async def test_control_file_makes_a_device_unhealthy(rig: Rig) -> None:
    await rig.add(driver_of(rig, pool="pool", health=HealthConfig()))
    await start_probe(rig)
    control = rig.directories.plugins_dir / NAME / "control.json"

    async def shows(health: str, message: str = "") -> bool:
        give_up = asyncio.get_running_loop().time() + 2.0
        while asyncio.get_running_loop().time() < give_up:
            await rig.settle()
            status = (await rig.pod("p"))["status"]["containerStatuses"][0]
            resource = status["allocatedResourcesStatus"][0]["resources"][0]
            if (resource["health"], resource.get("message", "")) == (health, message):
                return True
            await asyncio.sleep(0.005)
        return False

    assert await shows("Healthy")
    sick = {"health": {"gpu-0": {"health": "Unhealthy", "message": "ECC"}}}
    control.write_text(json.dumps(sick), "utf-8")
    assert await shows("Unhealthy", "ECC")
    await rig.advance(100)
    assert await shows("Unhealthy", "ECC")
    control.write_text(json.dumps({"silent": True}), "utf-8")
    await rig.settle()
    await rig.advance(31)
    assert await shows("Unknown")
    control.unlink()

    assert await shows("Healthy")


@scenario
async def test_device_status_is_reported_in_the_claim(rig: Rig) -> None:
    network = {"interfaceName": "net1", "hardwareAddress": "00:01:ec:84:fb:51"}
    await rig.add(driver_of(rig, device_status=True, network_data={"gpu-0": network}))

    await start_probe(rig)
    await rig.settle()

    claim = await rig.client.get("resourceclaims", "p", "default")
    (entry,) = claim["status"]["devices"]
    assert (entry["driver"], entry["pool"], entry["device"]) == (NAME, "pool", "gpu-0")
    assert entry["conditions"][0]["status"] == "True"
    assert entry["networkData"] == network


@scenario
async def test_opaque_configuration_reaches_its_request(rig: Rig) -> None:
    await rig.add(driver_of(rig))
    claim = await rig.create_claim("p")
    claim["status"] = {
        "allocation": {
            "devices": {
                "results": [{"request": "gpu", "driver": NAME, "pool": "pool", "device": "gpu-0"}],
                "config": [
                    {
                        "source": "FromClaim",
                        "requests": requests,
                        "opaque": {"driver": NAME, "parameters": {"environment": {name: "1"}}},
                    }
                    for name, requests in (("ALL", []), ("MINE", ["gpu"]))
                ],
            }
        }
    }
    claim = await rig.client.update_status("resourceclaims", claim)
    await rig.reserve(claim, await rig.create_pod("p", claim="p", **PROBE))
    await rig.phase("p", "Running")

    lines = await report(rig)

    assert {"env ALL=1", "env MINE=1"} <= set(lines)


@pytest.mark.parametrize(
    ("kind", "name", "version"),
    [
        ("v/gpu", "a", "0.3.0"),
        ("v/gpu", "0a", "0.5.0"),
        ("v/g.pu", "a", "0.6.0"),
    ],
)
def test_spec_has_the_lowest_version_that_it_needs(kind: str, name: str, version: str) -> None:
    assert spec_of(kind, [CdiDevice(name=name)])["cdiVersion"] == version
