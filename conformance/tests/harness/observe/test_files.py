"""CDI specs are found by the claim that they speak of, and their versions are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.harness.observe import files


def spec(kind: str = "d.example/device", name: str = "a", **edits: Any) -> dict[str, Any]:
    return {"kind": kind, "devices": [{"name": name, "containerEdits": edits}]}


@pytest.mark.parametrize(
    ("content", "version"),
    [
        pytest.param(spec(env=["A=1"]), "0.3.0", id="environment"),
        pytest.param(spec(mounts=[{"hostPath": "/a", "containerPath": "/b"}]), "0.3.0", id="mount"),
        pytest.param(spec(mounts=[{"type": "tmpfs"}]), "0.4.0", id="mount with a type"),
        pytest.param(spec(deviceNodes=[{"hostPath": "/dev/x"}]), "0.5.0", id="host device path"),
        pytest.param(spec(name="1a"), "0.5.0", id="name that begins with a digit"),
        pytest.param(spec(kind="d.example/a.b"), "0.6.0", id="class with a dot"),
        pytest.param({**spec(), "annotations": {"a": "b"}}, "0.6.0", id="annotations"),
        pytest.param(spec(additionalGids=[1]), "0.7.0", id="additional groups"),
        pytest.param(spec(netDevices=[{"name": "eth0"}]), "1.1.0", id="network devices"),
    ],
)
def test_content_asks_for_a_version(content: dict[str, Any], version: str) -> None:
    assert files.lowest_cdi_version(content) == version


def test_specs_of_a_claim_are_found_by_name_or_content(tmp_path: Path) -> None:
    (tmp_path / "uid-1.json").write_text(json.dumps(spec()), "utf-8")
    (tmp_path / "other.yaml").write_text("kind: d/uid-1\ndevices: []\n", "utf-8")
    (tmp_path / "foreign.json").write_text(json.dumps(spec()), "utf-8")
    (tmp_path / "uid-1.txt").write_text("uid-1", "utf-8")

    assert sorted(files.cdi_specs(tmp_path, "uid-1")) == ["other.yaml", "uid-1.json"]


def test_mounted_paths_are_those_of_every_device() -> None:
    one = spec(mounts=[{"hostPath": "/a", "containerPath": "/b"}])

    assert files.mounted({"x": one, "y": spec()}) == ["/b"]
