"""A driver on the rig, and how a test reads what a probe container saw."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import conformance
from conformance.reference.driver.config import DriverConfig
from conformance.reference.driver.driver import ExampleDriver
from conformance.reference.shifted import ShiftedClock
from conformance.tests.reference.kubelet.rig import NODE, Rig

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
        clock=ShiftedClock(rig.clock, 0),
        faults=rig.faults,
    )


async def start_probe(rig: Rig, name: str = "p", **result: Any) -> dict[str, Any]:
    claim = await rig.allocate(await rig.create_claim(name), NAME, **{"pool": NODE, **result})
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
