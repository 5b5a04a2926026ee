"""CDI specs: how a prepared device reaches a container (CDI specification 1.1)."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from conformance.kube.objects import Object


@attrs.frozen(kw_only=True)
class CdiDevice:
    """One device of a spec: its name, its environment, its read-only files.

    ``files`` maps paths in the container to paths on the node.
    """

    name: str
    environment: Mapping[str, str] = attrs.field(factory=dict[str, str])
    files: Mapping[str, Path] = attrs.field(factory=dict[str, Path])


def spec_of(kind: str, devices: Iterable[CdiDevice]) -> Object:
    """Return a spec with the lowest version that its content needs."""
    spec: Object = {"kind": kind, "devices": [_device(device) for device in devices]}
    return {"cdiVersion": lowest_version(spec), **spec}


def lowest_version(spec: Object) -> str:
    """Return the lowest specification version that allows the content of ``spec``.

    Of what this driver writes only two things ask for more than 0.3.0: a class with a dot
    (0.6.0) and a device name that begins with a digit (0.5.0), as those made of uids do.
    """
    if "." in str(spec["kind"]).partition("/")[2]:
        return "0.6.0"
    if any(device["name"][0].isdigit() for device in spec["devices"]):
        return "0.5.0"
    return "0.3.0"


class SpecFolder:
    """Where the runtime of a node looks for specs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: What keeps a file system from taking files: ``ENOSPC``, ``EROFS``, 0 for nothing. It
        #: stands for a real one in such a state, which nobody but root can make.
        self.trouble = 0

    def write(self, path: Path, spec: Object) -> None:
        """Put a spec into the folder; no reader sees half of it. Raises ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.tmp")
        try:
            self._write(fresh, json.dumps(spec, indent=2))
            os.replace(fresh, path)  # noqa: PTH105 - atomic, as Path.replace is, and known to be
        except OSError:
            fresh.unlink(missing_ok=True)
            raise

    def remove(self, path: Path) -> None:
        """Remove a spec; raises ``OSError``, but not for one that is not there.

        unlink(2) refuses on a read-only file system whether there is a file or not.
        """
        if path.exists():
            self._must_not_be(errno.EROFS)
            path.unlink(missing_ok=True)

    def _write(self, path: Path, text: str) -> None:
        self._must_not_be(errno.EROFS)
        # A file without content has room on a full file system as well.
        path.touch()
        self._must_not_be(errno.ENOSPC)
        path.write_text(text, "utf-8")

    def _must_not_be(self, trouble: int) -> None:
        if self.trouble == trouble:
            raise OSError(trouble, os.strerror(trouble), str(self.path))


def environment_of(driver: str, node: str, claim_uid: str, device: str) -> Mapping[str, str]:
    """Return the variables that tell a container of one device, as example drivers do."""
    kind = variable_part(driver.split(".", 1)[0])
    name = f"{kind}_DEVICE_{variable_part(device)}"
    return {
        "DRA_RESOURCE_DRIVER_NAME": driver,
        "KUBERNETES_NODE_NAME": node,
        name: device,
        f"{name}_RESOURCE_CLAIM": claim_uid,
    }


def variable_part(text: str) -> str:
    """Return a name as it may stand in the name of an environment variable."""
    return re.sub(r"[^A-Za-z0-9]+", "_", text).upper()


def _device(device: CdiDevice) -> Object:
    edits: Object = {}
    if device.environment:
        edits["env"] = [f"{name}={value}" for name, value in device.environment.items()]
    if device.files:
        edits["mounts"] = [
            {"hostPath": str(host), "containerPath": inside, "options": ["ro", "bind"]}
            for inside, host in device.files.items()
        ]
    return {"name": device.name, "containerEdits": edits}
