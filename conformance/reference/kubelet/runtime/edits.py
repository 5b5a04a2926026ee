"""What CDI makes of a container: environment, mounts, device nodes, hooks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

from conformance.kube.objects import Object
from conformance.reference.kubelet.runtime.specs import Spec, find, load_specs


@attrs.define(kw_only=True)
class Edits:
    """The changes to one container, in the order in which they apply.

    ``mounts`` have hostPath, containerPath and options; ``devices`` are paths in the
    container; ``hooks`` are remembered and not run.
    """

    environment: dict[str, str] = attrs.field(factory=dict[str, str])
    mounts: list[Object] = attrs.field(factory=list[Object])
    devices: list[str] = attrs.field(factory=list[str])
    hooks: list[Object] = attrs.field(factory=list[Object])


def apply(directory: Path, cdi_ids: Iterable[str]) -> Edits:
    """Return the edits of these devices, from the specs in a directory.

    The edits of a spec itself apply once, before those of its devices; a device that is
    named twice applies once. Raises ``CdiError`` for a device that can't be resolved.
    """
    names = list(dict.fromkeys(cdi_ids))
    edits = Edits()
    if not names:
        return edits
    specs = load_specs(directory)
    resolved = [find(specs, name) for name in names]
    used: list[Spec] = []
    for spec, device in resolved:
        if spec not in used:
            used.append(spec)
            _merge(edits, spec.edits)
        _merge(edits, device.get("containerEdits") or {})
    return edits


def is_read_only(mount: Object) -> bool:
    """Tell whether a mount's options make it read-only."""
    return "ro" in (mount.get("options") or [])


def _merge(edits: Edits, more: Object) -> None:
    for entry in more.get("env") or []:
        name, _, value = str(entry).partition("=")
        edits.environment[name] = value
    for mount in more.get("mounts") or []:
        # A later mount at the same place covers the earlier one.
        edits.mounts = [
            old for old in edits.mounts if old["containerPath"] != mount["containerPath"]
        ]
        edits.mounts.append(dict(mount))
    for node in more.get("deviceNodes") or []:
        if node["path"] not in edits.devices:
            edits.devices.append(node["path"])
    edits.hooks.extend(more.get("hooks") or [])
