"""Each profile is well-formed, recognised where it is installed, and clean of findings."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from conformance import data
from conformance.catalogue import loading as catalogue
from conformance.policy import evaluate, loading
from conformance.policy.facts import devices
from conformance.policy.manifests import files
from conformance.policy.model import Policy
from conformance.policy.profiles import loading as profiles
from conformance.policy.profiles.model import Recognised, System
from conformance.policy.profiles.recognise import recognise
from conformance.policy.world import World

SYSTEMS = {one.name: one for one in profiles.systems()}
CLUSTERS = sorted(data.fixtures("clusters").glob("*.yaml"))


def world(path: Path) -> World:
    reading = files.read([str(path)])
    assert not reading.troubles
    return World.of_manifests(reading.manifests)


def seen(path: Path) -> dict[str, Recognised]:
    objects = [one.object for one in world(path).manifests]
    return {one.system.name: one for one in recognise(objects)}


@functools.cache
def policies() -> tuple[Policy, ...]:
    return loading.load(catalogue.load())


@pytest.mark.parametrize("path", sorted(profiles.HERE.glob("*.yaml")), ids=lambda path: path.stem)
def test_profile_has_the_shape_of_its_schema_and_its_name(path: Path) -> None:
    schema: Any = json.loads(data.schemas("policy", "system.schema.json").read_text())
    row = yaml.safe_load(path.read_text())

    jsonschema.validate(row, schema)
    assert row["system"] == path.stem


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.name)
def test_caveats_cite_requirements_of_the_law(system: System) -> None:
    cited = {one.requirement for one in system.caveats} - {None}

    assert cited <= set(catalogue.load().requirements)


def test_each_system_has_a_cluster() -> None:
    assert {path.stem for path in CLUSTERS} == set(SYSTEMS)


@pytest.mark.parametrize("path", CLUSTERS, ids=lambda path: path.stem)
def test_system_is_recognised_whole_in_its_cluster(path: Path) -> None:
    found = seen(path)[path.stem]

    assert found.missing == ()
    assert len(found.evidence) >= 3


@pytest.mark.parametrize("path", CLUSTERS, ids=lambda path: path.stem)
def test_no_other_vendor_is_recognised(path: Path) -> None:
    # Both parts of the NVIDIA driver come from one image.
    vendor = path.stem.partition("-")[0]

    assert {name.partition("-")[0] for name in seen(path)} == {vendor}


@pytest.mark.parametrize("path", CLUSTERS, ids=lambda path: path.stem)
def test_policies_find_nothing_in_the_cluster(path: Path) -> None:
    judged = evaluate.judge(policies(), world(path))

    assert judged.findings == ()
    assert judged.troubles == ()


@pytest.mark.parametrize("path", CLUSTERS, ids=lambda path: path.stem)
def test_slices_have_the_attributes_of_the_profile(path: Path) -> None:
    system = SYSTEMS[path.stem]
    mine = [one.spec for one in devices.at_hand(world(path)) if one.driver in system.drivers]
    typed = {
        (name, kind)
        for device in mine
        for name, value in device.get("attributes", {}).items()
        for kind in value
    }

    assert mine
    assert typed <= set(system.attributes.items())
    assert {name for one in mine for name in one.get("capacity", {})} <= set(system.capacities)


def test_gpu_allocation_that_is_off_is_told() -> None:
    found = seen(data.fixtures("clusters", "nvidia-compute-domain.yaml"))["nvidia-gpu"]

    assert "ResourceSlices of gpu.nvidia.com" in found.missing
    assert "DRA-ECO-11" in {one.requirement for one in found.caveats}


def test_gpu_allocation_that_is_on_has_no_such_caveat() -> None:
    found = seen(data.fixtures("clusters", "nvidia-gpu.yaml"))["nvidia-gpu"]

    assert "DRA-ECO-11" not in {one.requirement for one in found.caveats}


def test_nothing_is_recognised_in_nothing() -> None:
    assert recognise([]) == ()


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("nvidia.com/gpu", True), ("nvidia.com/mig-1g.10gb", True), ("amd.com/gpu", False)],
)
def test_resources_of_a_device_plugin_are_known(name: str, theirs: bool) -> None:
    assert SYSTEMS["nvidia-gpu"].is_plugin_resource(name) is theirs
