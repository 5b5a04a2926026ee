"""Device metadata files (KEP-5304), as a container sees them and as they lie on the node."""

from __future__ import annotations

import pytest

from conformance.reference.driver.config import ConfigurationError, MetadataConfig
from conformance.tests.reference.driver.probing import (
    NAME,
    PROBE,
    ROOT,
    driver_of,
    files,
    report,
    start_probe,
)
from conformance.tests.reference.kubelet.rig import NODE, Rig, scenario


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
                        "pool": NODE,
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
    claim = await rig.allocate(claim, NAME, pool=NODE, request="gpu/big")
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
    ((_, kept),) = files(await report(rig)).items()
    # A container that runs keeps the file that was mounted into it: the next one sees the new.
    claim = await rig.client.get("resourceclaims", "p", "default")
    await rig.reserve(claim, await rig.create_pod("later", claim="p", **PROBE))
    await rig.phase("later", "Running")
    ((_, second),) = files(await report(rig, "later")).items()

    assert first[0]["requests"][0]["devices"] == [{"driver": NAME, "pool": NODE, "name": "gpu-0"}]
    assert [one["metadata"]["generation"] for one in [*first, *second]] == [1, 1, 2, 2]
    assert kept == first
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
