"""Device metadata files: the claims that have them, and the objects in them."""

from __future__ import annotations

import functools
import json
from typing import Any

import jsonschema

from conformance import data
from conformance.harness import expect
from conformance.harness.errors import Violation
from conformance.harness.observe import probe
from conformance.harness.subject import inventory
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import Objects, World
from conformance.kube.objects import Object

GROUP = "metadata.resource.k8s.io"


def start(world: World, topic: str, driver: Driver, **values: Any) -> Objects:
    """Apply a manifest whose Pod runs the probe with devices of the judged driver."""
    Life(world, driver).ready()
    known = {"device_class": driver.device_class, "judged": driver.name, "probe": probe.command()}
    return world.apply(f"metadata/{topic}", **known, **values)


def start_beside(world: World, driver: Driver, second: str) -> Objects:
    """Start a Pod with a request that two drivers serve, and one that the second serves alone.

    Raises ``Unsupported`` for a driver whose devices of a node can't be had by one claim.
    """
    pool = inventory.beside(world, driver.name, Life(world, driver).inventory(), others=2)
    (node,), count = pool.nodes, len(pool.devices) + 1
    return start(world, "two_drivers", driver, second=second, node=node, count=count)


def allocated(world: World, driver: str) -> list[str]:
    """Return the names of the devices of a driver that the claim has for what both serve."""
    results = inventory.results(world.claims.get("claim"))
    return sorted(one["device"] for one in results
                  if (one["driver"], one["request"]) == (driver, "both"))  # fmt: skip


def file_of(world: World, driver: Driver) -> probe.File:
    """Wait for the first report of the Pod and return the one file of the driver in it."""
    return probe.first(world, "pod").named(name_of(driver))


def name_of(driver: Driver) -> str:
    """Return the last part of the path of a driver's files."""
    return f"{driver.name}-metadata.json"


def only_device(obj: Object) -> Object:
    """Return the one device of the one request of an object; raises ``Violation``."""
    devices = [device for request in obj["requests"] for device in request["devices"]]
    if len(devices) != 1:
        raise Violation("one device", path="requests[].devices", observed=devices)
    return devices[0]


def published(world: World, driver: Driver, name: str) -> Object:
    """Return a device as the driver's slices publish it; raises ``Violation``."""
    path = f"/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver%3D{driver.name}"
    for found in world.api.ask("GET", path)["items"]:
        for device in found["spec"].get("devices") or []:
            if device["name"] == name:
                return device
    raise Violation(f"a published device {name}", path="spec.devices", observed="none")


def expect_valid(obj: Object) -> Object:
    """Return an object that is valid by the schema; raises ``Violation``."""
    for error in _validator().iter_errors(obj):
        raise Violation(
            f"what the schema allows: {error.message}", path=error.json_path, observed=obj
        )
    return obj


def expect_claim(obj: Object, claim: Object) -> None:
    """Raise ``Violation`` unless an object names its claim: name, namespace and uid."""
    for field in ("name", "namespace", "uid"):
        expect.field(obj, f"metadata.{field}", claim["metadata"][field])


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    path = data.schemas("metadata", "devicemetadata-v1beta1.schema.json")
    return jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))
