"""What the report probe prints, word for word as ``fixtures/probes/report.sh`` does."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping

from conformance.kube.objects import Object
from conformance.reference.kubelet.runtime.edits import is_read_only
from conformance.reference.kubelet.runtime.mounts import source

#: Where device metadata files lie in a container (KEP-5304).
METADATA_ROOT = "/var/run/kubernetes.io/dra-device-attributes"

#: The device nodes that every container has.
STANDARD_DEVICES = (
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
)

#: Where every container has something mounted.
STANDARD_MOUNTS = ("/", "/dev", "/proc", "/sys")


def report(environment: Mapping[str, str], mounts: Iterable[Object], devices: list[str]) -> str:
    """Return one report; the files are read now, as the script would."""
    lines = [f"env {name}={value}" for name, value in sorted(environment.items())]
    lines += [f"device {path}" for path in sorted({*STANDARD_DEVICES, *devices})]
    mounts = list(mounts)
    places = {*STANDARD_MOUNTS, *(str(mount["containerPath"]) for mount in mounts)}
    lines += [f"mounted {path}" for path in sorted(places)]
    for mount in sorted(mounts, key=lambda one: str(one["containerPath"])):
        lines += _files(mount)
    return "\n".join([*lines, "end", ""])


def with_group(text: str, limits: Mapping[str, str], oom: int) -> str:
    """Return a report that says, too, what the container's cgroup lets it use."""
    said = [f"limit {name} {amount}" for name, amount in limits.items()]
    return "\n".join([*said, f"oom {oom}", text])


def _files(mount: Object) -> list[str]:
    inside, host = str(mount["containerPath"]), source(mount)
    if not inside.startswith(METADATA_ROOT + "/"):
        return []
    paths = sorted(host.rglob("*")) if host.is_dir() else [host]
    mode = "ro" if is_read_only(mount) else "rw"
    lines: list[str] = []
    for path in paths:
        if not path.is_file():
            continue
        relative = path.relative_to(host)
        name = inside if path == host else f"{inside}/{relative}"
        content = base64.b64encode(path.read_bytes()).decode()
        lines += [f"mount {name} {mode}", f"file {name} {content}"]
    return lines
