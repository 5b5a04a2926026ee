"""Container images without a registry: an OCI layout around one static busybox.

Kubernetes pulls nothing here. Every node imports one tar with two names: the image that
Pods use (``imagePullPolicy: Never`` or ``IfNotPresent``) and the sandbox ("pause") image.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from conformance.upstream import errors

POD_IMAGE = "conformance.test/busybox:1"
SANDBOX_IMAGE = "conformance.test/pause:1"
BUSYBOX = Path("/bin/busybox")

#: What a probe container may call by name; busybox answers to each through a symlink.
APPLETS = (
    *("sh", "cat", "cp", "cut", "date", "dd", "echo", "env", "false", "find", "grep", "head"),
    *("id", "kill", "ls", "mkdir", "mount", "mv", "nc", "nproc", "od", "printf", "ps", "pwd"),
    *("readlink", "rm", "sed", "sha256sum", "sleep", "sort", "stat", "tail", "tee", "test"),
    *("touch", "tr", "true", "uname", "wc", "wget", "xargs"),
)
_COMMANDS = {POD_IMAGE: ["/bin/sh"], SANDBOX_IMAGE: ["/bin/sleep", "2147483647"]}
_DIRECTORIES = ("bin", "dev", "etc", "proc", "root", "run", "sys", "tmp", "var")
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def write(path: Path, machine: str, busybox: Path = BUSYBOX) -> None:
    """Write the image archive to ``path``; the same input gives the same bytes.

    ``machine`` is the kernel's name of the processor, as ``os.uname`` gives it. Raises
    :class:`errors.UnusableError` for a processor that Kubernetes is not built for here.
    """
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        raise errors.UnusableError(f"no container image can be made for processor {machine!r}")
    blobs: dict[str, bytes] = {}
    layer = _store(blobs, _layer(busybox.read_bytes()))
    manifests = [
        _image(blobs, layer, architecture, name, command) for name, command in _COMMANDS.items()
    ]
    index = {"schemaVersion": 2, "manifests": manifests}
    with tarfile.open(path, "w") as archive:
        _add(archive, "oci-layout", _json({"imageLayoutVersion": "1.0.0"}))
        _add(archive, "index.json", _json(index))
        for digest, blob in sorted(blobs.items()):
            _add(archive, f"blobs/sha256/{digest.removeprefix('sha256:')}", blob)


def _layer(busybox: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in _DIRECTORIES:
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.DIRTYPE
            entry.mode = 0o1777 if name == "tmp" else 0o755
            archive.addfile(entry)
        _add(archive, "bin/busybox", busybox, mode=0o755)
        _add(archive, "etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n")
        for applet in APPLETS:
            entry = tarfile.TarInfo(f"bin/{applet}")
            entry.type = tarfile.SYMTYPE
            entry.linkname = "busybox"
            archive.addfile(entry)
    return buffer.getvalue()


def _image(
    blobs: dict[str, bytes], layer: str, architecture: str, name: str, command: list[str]
) -> dict[str, Any]:
    """Add the configuration and manifest of one image; return its index entry."""
    config = _json(
        {
            "architecture": architecture,
            "os": "linux",
            "config": {"Cmd": command, "Env": ["PATH=/bin"]},
            "rootfs": {"type": "layers", "diff_ids": [layer]},
        }
    )
    manifest = _json(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {
                "mediaType": "application/vnd.oci.image.config.v1+json",
                "digest": _store(blobs, config),
                "size": len(config),
            },
            "layers": [
                {
                    "mediaType": "application/vnd.oci.image.layer.v1.tar",
                    "digest": layer,
                    "size": len(blobs[layer]),
                }
            ],
        }
    )
    return {
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "digest": _store(blobs, manifest),
        "size": len(manifest),
        "annotations": {
            "io.containerd.image.name": name,
            "org.opencontainers.image.ref.name": name,
        },
        "platform": {"architecture": architecture, "os": "linux"},
    }


def _store(blobs: dict[str, bytes], blob: bytes) -> str:
    digest = "sha256:" + hashlib.sha256(blob).hexdigest()
    blobs[digest] = blob
    return digest


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mode = mode
    archive.addfile(entry, io.BytesIO(content))
