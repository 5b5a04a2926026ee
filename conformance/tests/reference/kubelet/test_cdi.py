"""CDI specs: what is valid, what is found, what it does to a container."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.reference.kubelet.runtime.edits import apply
from conformance.reference.kubelet.runtime.specs import CdiError, load_specs, parse_spec


def write(directory: Path, name: str = "a.json", **changes: Any) -> Path:
    spec = {
        "cdiVersion": "0.5.0",
        "kind": "v.example.com/gpu",
        "devices": [{"name": "0", "containerEdits": {"env": ["A=1"]}}],
        **changes,
    }
    path = directory / name
    path.write_text(json.dumps(spec), "utf-8")
    return path


def device(name: str, **edits: Any) -> dict[str, Any]:
    return {"name": name, "containerEdits": edits}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"kind": "gpu"}, "kind", id="kind-without-vendor"),
        pytest.param({"kind": "v.example.com/"}, "kind", id="kind-without-class"),
        pytest.param({"kind": "1v/gpu"}, "kind", id="vendor-begins-with-digit"),
        pytest.param({"cdiVersion": "9.0.0"}, "cdiVersion", id="unknown-version"),
        pytest.param({"cdiVersion": "0.3.0"}, "at least v0.5.0", id="digit-needs-0.5"),
        pytest.param(
            {"kind": "v.example.com/g.pu"}, "at least v0.6.0", id="dotted-class-needs-0.6"
        ),
        pytest.param(
            {"containerEdits": {"additionalGids": [1]}}, "at least v0.7.0", id="gids-need-0.7"
        ),
        pytest.param(
            {"containerEdits": {"netDevices": [{}]}}, "at least v1.1.0", id="net-devices-need-1.1"
        ),
        pytest.param({"devices": [device("_")]}, "device name", id="device-name"),
        pytest.param({"devices": [device("0"), device("0")]}, "twice", id="device-twice"),
    ],
)
def test_invalid_spec_is_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = write(tmp_path, **changes)

    with pytest.raises(CdiError, match=reason):
        parse_spec(path, path.read_text("utf-8"))


def test_invalid_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "b.json").write_text("{", "utf-8")
    (tmp_path / "c.yaml").write_text("- not: an object", "utf-8")
    (tmp_path / "readme.txt").write_text("hello", "utf-8")

    assert [spec.path.name for spec in load_specs(tmp_path)] == ["a.json"]


def test_yaml_is_read_as_json_is(tmp_path: Path) -> None:
    spec = "cdiVersion: 0.3.0\nkind: v/gpu\ndevices:\n- name: a\n  containerEdits: {env: [A=b=c]}\n"
    (tmp_path / "a.yaml").write_text(spec, "utf-8")

    assert apply(tmp_path, ["v/gpu=a"]).environment == {"A": "b=c"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("v.example.com/gpu=1", "unresolvable"),
        ("v.example.com/fpga=0", "unresolvable"),
        ("gpu-0", "unqualified"),
    ],
)
def test_device_that_nobody_describes_is_an_error(tmp_path: Path, name: str, reason: str) -> None:
    write(tmp_path)

    with pytest.raises(CdiError, match=reason):
        apply(tmp_path, [name])


def test_device_in_two_specs_is_a_conflict(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, "b.json")

    with pytest.raises(CdiError, match=r"conflicting.*a\.json, b\.json"):
        apply(tmp_path, ["v.example.com/gpu=0"])


def test_edits_of_spec_and_devices_add_up_once(tmp_path: Path) -> None:
    mount = {"hostPath": "/h", "containerPath": "/c", "options": ["ro"]}
    write(
        tmp_path,
        containerEdits={"env": ["ALL=1"], "hooks": [{"hookName": "createContainer"}]},
        devices=[
            device("0", env=["X=0"], deviceNodes=[{"path": "/dev/x0"}]),
            device("1", env=["X=1"], mounts=[mount]),
        ],
    )

    edits = apply(tmp_path, ["v.example.com/gpu=0", "v.example.com/gpu=1", "v.example.com/gpu=0"])

    assert edits.environment == {"ALL": "1", "X": "1"}
    assert edits.devices == ["/dev/x0"]
    assert edits.mounts == [mount]
    assert len(edits.hooks) == 1


def test_nothing_asked_is_nothing_read(tmp_path: Path) -> None:
    assert apply(tmp_path / "missing", []).environment == {}
