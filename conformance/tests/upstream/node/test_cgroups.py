"""Cgroups: one tree in every hierarchy, cpusets filled, removed as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.upstream.node import cgroups


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    for name in ("cpuset", "memory"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").write_text("")
    (tmp_path / "unrelated").mkdir()
    return tmp_path


def test_version_one_has_several_hierarchies(first_version: Path) -> None:
    assert [path.name for path in cgroups.hierarchies(first_version)] == ["cpuset", "memory"]


def test_version_two_has_one(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu memory\n")

    assert list(cgroups.hierarchies(tmp_path)) == [tmp_path]


def test_create_and_remove_in_every_hierarchy(first_version: Path) -> None:
    cgroups.create("ours/node", first_version)

    assert (first_version / "cpuset" / "ours" / "node").is_dir()
    assert (first_version / "memory" / "ours" / "node").is_dir()

    cgroups.remove("ours", first_version)

    assert not (first_version / "cpuset" / "ours").exists()
    assert not (first_version / "memory" / "ours").exists()


def test_a_new_cpuset_takes_its_parents_processors(first_version: Path) -> None:
    folder = first_version / "cpuset"
    (folder / "ours").mkdir()
    (folder / "cpuset.cpus").write_text("0-1\n")
    (folder / "ours" / "cpuset.cpus").write_text("\n")

    cgroups.create("ours", first_version)

    assert (folder / "ours" / "cpuset.cpus").read_text() == "0-1\n"
