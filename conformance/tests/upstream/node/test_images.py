"""The image archive: every digest is true, and the same input gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from conformance.upstream import errors
from conformance.upstream.node import images


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "busybox").write_bytes(b"\x7fELF")
    images.write(tmp_path / "images.tar", "x86_64", tmp_path / "busybox")
    return tmp_path / "images.tar"


def members(archive: Path) -> dict[str, bytes]:
    return unpack(archive.read_bytes())


def unpack(content: bytes) -> dict[str, bytes]:
    """Return the files of a tar archive."""
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        streams = {entry.name: tar.extractfile(entry) for entry in tar if entry.isfile()}
        return {name: stream.read() for name, stream in streams.items() if stream is not None}


def test_every_blob_is_named_by_its_digest(archive: Path) -> None:
    blobs = {n: c for n, c in members(archive).items() if n.startswith("blobs/sha256/")}

    assert len(blobs) == 5
    assert all(n.endswith(hashlib.sha256(c).hexdigest()) for n, c in blobs.items())


def test_index_names_both_images(archive: Path) -> None:
    index = json.loads(members(archive)["index.json"])

    names = [m["annotations"]["io.containerd.image.name"] for m in index["manifests"]]
    assert names == [images.POD_IMAGE, images.SANDBOX_IMAGE]


def test_layer_holds_busybox_and_its_names(archive: Path) -> None:
    files = members(archive)
    index = json.loads(files["index.json"])
    manifest = json.loads(files["blobs/sha256/" + index["manifests"][0]["digest"][7:]])
    layer = files["blobs/sha256/" + manifest["layers"][0]["digest"][7:]]

    assert unpack(layer)["bin/busybox"] == b"\x7fELF"
    with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
        assert tar.getmember("bin/sh").linkname == "busybox"


def test_same_input_same_bytes(archive: Path, tmp_path: Path) -> None:
    images.write(tmp_path / "again.tar", "x86_64", tmp_path / "busybox")

    assert (tmp_path / "again.tar").read_bytes() == archive.read_bytes()


def test_unknown_processor(tmp_path: Path) -> None:
    with pytest.raises(errors.UnusableError, match="'mips'"):
        images.write(tmp_path / "x.tar", "mips")
