"""What a driver leaves on a node that this process reaches: its CDI specs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from conformance.kube.objects import Object

#: What needs a newer version of the CDI specification than 0.3.0 (its SPEC.md, "Versions").
_NEEDS = (
    ("0.4.0", ("mounts", "type")),
    ("0.5.0", ("deviceNodes", "hostPath")),
)


def cdi_specs(folder: Path, uid: str) -> Mapping[str, Object]:
    """Return the CDI specs in a folder that speak of a claim's uid, by file name."""
    specs: dict[str, Object] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix not in {".json", ".yaml"}:
            continue
        text = path.read_text("utf-8")
        if uid in text or uid in path.name:
            specs[path.name] = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return specs


def cdi_names(folder: Path) -> frozenset[str]:
    """Return the qualified names of all CDI devices in a folder; what is no spec has none."""
    names: set[str] = set()
    for path in sorted(folder.iterdir()):
        if path.suffix not in {".json", ".yaml"}:
            continue
        try:
            spec = yaml.safe_load(path.read_text("utf-8"))
            names |= {f"{spec['kind']}={device['name']}" for device in spec["devices"]}
        except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError):
            continue
    return frozenset(names)


def mounted(specs: Mapping[str, Object]) -> list[str]:
    """Return the paths in the container of every file or folder that some specs mount."""
    return [
        mount["containerPath"]
        for spec in specs.values()
        for device in spec["devices"]
        for mount in (device.get("containerEdits") or {}).get("mounts") or []
    ]


def lowest_cdi_version(spec: Object) -> str:
    """Return the lowest version of the CDI specification that a spec's content needs."""
    edits = [spec.get("containerEdits") or {}]
    edits += [device.get("containerEdits") or {} for device in spec["devices"]]
    needed = ["0.3.0"]
    needed += [version for version, (field, key) in _NEEDS if _uses(edits, field, key)]
    if any(not device["name"][0].isalpha() for device in spec["devices"]):
        needed.append("0.5.0")
    if "." in spec["kind"].partition("/")[2]:
        needed.append("0.6.0")
    if spec.get("annotations") or any(one.get("annotations") for one in spec["devices"]):
        needed.append("0.6.0")
    if any(one.get("intelRdt") or one.get("additionalGids") for one in edits):
        needed.append("0.7.0")
    if any(one.get("netDevices") for one in edits):
        needed.append("1.1.0")
    return max(needed)


def _uses(edits: list[Any], field: str, key: str) -> bool:
    return any(row.get(key) for one in edits for row in one.get(field) or [])
