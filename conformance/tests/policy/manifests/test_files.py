"""Files, folders and standard input are read, and what cannot be is told."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.policy.manifests import files

POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"


def test_a_folder_is_read_in_order(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "c/d.json", "c/no.txt", ".git/e.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(POD, "utf-8")

    reading = files.read([str(tmp_path)])

    found = [Path(one.place.file).relative_to(tmp_path).as_posix() for one in reading.manifests]
    assert found == ["a.yml", "b.yaml", "c/d.json"]
    assert reading.files == 3


def test_a_chart_is_told_not_read(tmp_path: Path) -> None:
    (tmp_path / "chart" / "templates").mkdir(parents=True)
    (tmp_path / "chart" / "Chart.yaml").write_text("name: a\n", "utf-8")
    (tmp_path / "chart" / "templates" / "a.yaml").write_text("{{ x }}", "utf-8")
    (tmp_path / "pod.yaml").write_text(POD, "utf-8")

    reading = files.read([str(tmp_path)])

    (trouble,) = reading.troubles
    assert "a chart is rendered before it is judged: helm template" in trouble.sentence
    assert len(reading.manifests) == 1


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 * 2**20)

    reading = files.read([str(path)])

    assert str(reading.troubles[0]) == f"{path}:1:1: is larger than 16 MiB: split it"


def test_other_encodings_are_told_with_a_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"a: b\nc: \xe9\n")

    assert str(files.read([str(path)]).troubles[0]) == f"{path}:2:4: is not UTF-8 text"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "mark.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + POD.encode())

    assert len(files.read([str(path)]).manifests) == 1


def test_a_file_that_two_paths_lead_to_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(POD, "utf-8")

    reading = files.read([str(tmp_path), str(tmp_path / "a.yaml"), f"{tmp_path}/./a.yaml"])

    assert (reading.files, len(reading.manifests)) == (1, 1)


def test_a_pipe_in_a_folder_is_told_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "none.yaml").symlink_to(tmp_path / "nowhere")

    told = [one.sentence for one in files.read([str(tmp_path)]).troubles]

    assert told == [
        "cannot be read: No such file or directory",
        "cannot be read: it is a pipe or a device",
    ]


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "pod.yaml").write_text(POD, "utf-8")
    real = os.scandir

    def scandir(path: str) -> Any:
        if path.endswith("locked"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path)

    # Permissions would not stop root.
    monkeypatch.setattr(os, "scandir", scandir)

    reading = files.read([str(tmp_path)])

    assert [str(one) for one in reading.troubles] == [
        f"{tmp_path / 'locked'}:1:1: cannot be read: Permission denied"
    ]
    assert len(reading.manifests) == 1


def test_standard_input_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(POD.encode())))

    (pod,) = files.read(["-"]).manifests

    assert str(pod.place) == "<stdin>:1:1"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    reading = files.read([str(tmp_path / "none.yaml")])

    assert "cannot be read: No such file" in reading.troubles[0].sentence


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
    (outside / "pod.yaml").write_text(POD, "utf-8")
    (outside / "back").symlink_to(inside)
    (inside / "again").symlink_to(outside)
    (inside / "link").symlink_to(outside)

    reading = files.read([str(inside)])

    assert [one.place.file for one in reading.manifests] == [str(inside / "again" / "pod.yaml")]
