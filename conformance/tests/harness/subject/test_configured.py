"""What a program that the suite configures is told, and what it does with it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.harness.errors import TargetMisconfigured
from conformance.harness.subject import configured
from conformance.harness.subject.protocol import DriverOptions, Wanted
from conformance.harness.target import NodeAccess
from conformance.harness.targets import hosting
from conformance.harness.targets.opening import TargetOptions
from conformance.harness.world import World

COMMAND = "driver --file {configuration} --node {node_name}"


def world(folder: Path) -> World:
    access = NodeAccess.below("node-1", folder)
    cluster = SimpleNamespace(node_access=lambda: [access])
    return cast("World", SimpleNamespace(driver="d.example", device_class="c", cluster=cluster))


@pytest.mark.parametrize(
    ("wanted", "field", "value"),
    [
        (Wanted(), "metadataVersions", None),
        (Wanted(features=("metadata",)), "metadataVersions", ["v1beta1", "v1alpha1"]),
        (Wanted(features=("metadata",), metadata_versions=()), "metadataVersions", []),
        (Wanted(devices=({"name": "x"},)), "devices", [{"name": "x"}]),
        (Wanted(deferred_seconds=3.0), "deferredSeconds", 3.0),
        (Wanted(network_data={"x": {"ips": []}}), "networkData", {"x": {"ips": []}}),
    ],
)
def test_the_file_says_what_is_wanted(
    tmp_path: Path, wanted: Wanted, field: str, value: Any
) -> None:
    found = configured._configuration(world(tmp_path), wanted, tmp_path / "health.json")

    assert json.loads(json.dumps(found))[field] == value


def test_a_command_with_an_unknown_placeholder_is_refused(tmp_path: Path) -> None:
    options = DriverOptions(command=f"{COMMAND} {{nodename}}")
    host = configured.ConfiguredHost(options=options, kubeconfig=tmp_path)

    with pytest.raises(TargetMisconfigured, match="unknown placeholder"):
        host._child(world(tmp_path), Wanted(), tmp_path / "health.json")


def test_health_is_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    driver = configured.ConfiguredDriver(world(tmp_path), cast("Any", None), "node-1", file)

    driver.set_health("gpu", "Unhealthy", "hot")
    driver.set_health("nic", "Healthy")

    assert json.loads(file.read_text()) == {
        "gpu": {"health": "Unhealthy", "message": "hot"},
        "nic": {"health": "Healthy", "message": ""},
    }


def test_the_placeholder_decides_who_provides_the_driver(tmp_path: Path) -> None:
    options = TargetOptions(kind="kube", kubeconfig=tmp_path, driver=DriverOptions(command=COMMAND))

    host = hosting.open_host(options)

    assert isinstance(host._host, configured.ConfiguredHost)
    host.close()
