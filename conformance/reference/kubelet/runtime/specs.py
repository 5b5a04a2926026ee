"""CDI spec files: reading, checking and finding devices (CDI specification 1.1).

The runtime reads the directory anew for every container, so that a spec counts from the
moment when it is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs
import yaml

from conformance.kube.objects import Object

#: Every released version of the CDI specification.
VERSIONS = (
    (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0), (0, 5, 0), (0, 6, 0), (0, 7, 0), (0, 8, 0),
    (1, 0, 0), (1, 1, 0),
)  # fmt: skip

_VENDOR = re.compile(r"[A-Za-z]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
_CLASS = re.compile(r"[A-Za-z]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
_DEVICE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?")


class CdiError(RuntimeError):
    """A CDI device can't be injected; the message says why."""


@attrs.frozen(kw_only=True)
class Spec:
    """One spec file: its kind, the edits of every container, and the devices by name."""

    path: Path
    kind: str
    edits: Object
    devices: Mapping[str, Object]


def load_specs(directory: Path) -> list[Spec]:
    """Return the valid specs of a directory; files that are no valid spec do not count.

    A runtime that refused all devices because of one file would let one driver break all.
    """
    specs: list[Spec] = []
    for path in sorted(directory.glob("*")):
        if path.suffix in {".json", ".yaml"}:
            try:
                specs.append(parse_spec(path, path.read_text("utf-8")))
            except (CdiError, OSError):
                continue
    return specs


def parse_spec(path: Path, text: str) -> Spec:
    """Return a spec file's content; raises ``CdiError`` where it is not a valid spec."""
    try:
        document: Any = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError) as error:
        raise CdiError(f"{path.name}: {error}") from error
    if not isinstance(document, dict):
        raise CdiError(f"{path.name}: not an object")
    spec: Object = document
    kind = str(spec.get("kind", ""))
    check_kind(kind)
    devices: dict[str, Object] = {}
    for device in spec.get("devices") or []:
        name = str(device.get("name", ""))
        if not _DEVICE.fullmatch(name):
            raise CdiError(f"{path.name}: invalid device name {name!r}")
        if name in devices:
            raise CdiError(f"{path.name}: device {name!r} stands twice")
        devices[name] = device
    _check_version(path.name, spec)
    return Spec(path=path, kind=kind, edits=spec.get("containerEdits") or {}, devices=devices)


def check_kind(kind: str) -> None:
    """Raise ``CdiError`` unless ``kind`` is ``vendor/class``."""
    vendor, separator, name = kind.partition("/")
    if not separator or not _VENDOR.fullmatch(vendor) or not _CLASS.fullmatch(name):
        raise CdiError(f"invalid CDI kind {kind!r}")


def find(specs: Iterable[Spec], qualified: str) -> tuple[Spec, Object]:
    """Return spec and device of ``vendor/class=name``.

    Raises ``CdiError`` for a device that no spec has, and for one that several have.
    """
    kind, separator, name = qualified.partition("=")
    if not separator:
        raise CdiError(f"unqualified device {qualified!r}")
    check_kind(kind)
    found = [spec for spec in specs if spec.kind == kind and name in spec.devices]
    if not found:
        raise CdiError(f"unresolvable CDI devices {qualified}")
    if len(found) > 1:
        files = ", ".join(spec.path.name for spec in found)
        raise CdiError(f"conflicting device {qualified} (specs {files})")
    return found[0], found[0].devices[name]


def _check_version(name: str, spec: Object) -> None:
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)", str(spec.get("cdiVersion", "")))
    declared = tuple(int(part) for part in match.groups()) if match else ()
    if declared not in VERSIONS:
        raise CdiError(f"{name}: invalid cdiVersion {spec.get('cdiVersion')!r}")
    needed = required_version(spec)
    if needed > declared:
        least = ".".join(map(str, needed))
        raise CdiError(f"{name}: the spec version must be at least v{least}")


def required_version(spec: Object) -> tuple[int, int, int]:
    """Return the lowest specification version that has every field of ``spec``."""
    devices: list[Object] = list(spec.get("devices") or [])
    edits: list[Object] = [spec.get("containerEdits") or {}]
    edits += [device.get("containerEdits") or {} for device in devices]
    for version, needs in _NEEDS:
        if needs(spec, devices, edits):
            return version
    return (0, 3, 0)


def _needs_1_1(_spec: Object, _devices: list[Object], edits: list[Object]) -> bool:
    rdt = [edit.get("intelRdt") or {} for edit in edits]
    return any(edit.get("netDevices") for edit in edits) or any(
        one.get("schemata") is not None or one.get("enableMonitoring") for one in rdt
    )


def _needs_0_7(_spec: Object, _devices: list[Object], edits: list[Object]) -> bool:
    return any(edit.get("intelRdt") or edit.get("additionalGids") for edit in edits)


def _needs_0_6(spec: Object, devices: list[Object], _edits: list[Object]) -> bool:
    annotated = any(owner.get("annotations") for owner in [spec, *devices])
    return annotated or "." in str(spec.get("kind", "")).partition("/")[2]


def _needs_0_5(_spec: Object, devices: list[Object], edits: list[Object]) -> bool:
    digit = any(str(device.get("name", ""))[:1].isdigit() for device in devices)
    return digit or any(
        node.get("hostPath") for edit in edits for node in edit.get("deviceNodes") or []
    )


def _needs_0_4(_spec: Object, _devices: list[Object], edits: list[Object]) -> bool:
    return any(mount.get("type") for edit in edits for mount in edit.get("mounts") or [])


#: What each version brought, newest first.
_NEEDS: tuple[
    tuple[tuple[int, int, int], Callable[[Object, list[Object], list[Object]], bool]], ...
] = (
    ((1, 1, 0), _needs_1_1),
    ((0, 7, 0), _needs_0_7),
    ((0, 6, 0), _needs_0_6),
    ((0, 5, 0), _needs_0_5),
    ((0, 4, 0), _needs_0_4),
)
