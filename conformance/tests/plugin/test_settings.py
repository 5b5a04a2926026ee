"""Options are parsed once; what makes no sense is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.harness.errors import TargetMisconfigured
from conformance.plugin import settings


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("1h30m", 5400), ("250ms", 0.25), ("1.5m", 90)],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert settings.duration(text) == seconds


@pytest.mark.parametrize("text", ["", "60", "s", "1d", "-5s", "60 s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(TargetMisconfigured, match="is no duration"):
        settings.duration(text)


def test_gates_are_read() -> None:
    assert settings.gates("A=true,B=false, C=True") == {"A": True, "B": False, "C": True}
    assert settings.gates("") == {}


@pytest.mark.parametrize("text", ["A", "A=yes", "A=true,B"])
def test_what_is_no_gate_is_refused(text: str) -> None:
    with pytest.raises(TargetMisconfigured, match="NAME=true or NAME=false"):
        settings.gates(text)


def test_node_roots_must_be_directories(tmp_path: Path) -> None:
    (access,) = settings.roots([f"node-1={tmp_path}"]).values()

    assert access.plugins_dir == tmp_path / "plugins"

    with pytest.raises(TargetMisconfigured, match="must be NAME=DIR"):
        settings.roots([f"node-1={tmp_path / 'missing'}"])


def test_a_node_root_may_name_the_folder_of_cdi(tmp_path: Path) -> None:
    (tmp_path / "cdi").mkdir()
    rows = [f"plain={tmp_path}", f"rig={tmp_path}:{tmp_path / 'cdi'}"]

    found = settings.roots(rows)

    assert {name: access.cdi_dir for name, access in found.items()} == {
        "plain": Path("/var/run/cdi"),
        "rig": tmp_path / "cdi",
    }
    with pytest.raises(TargetMisconfigured, match="NAME=DIR:CDI, with directories that exist"):
        settings.roots([f"rig={tmp_path}:{tmp_path / 'missing'}"])


def test_metrics_are_names_and_urls() -> None:
    found = settings.metrics(["kube-scheduler=https://127.0.0.1:10259/metrics"])

    assert found == {"kube-scheduler": "https://127.0.0.1:10259/metrics"}


@pytest.mark.parametrize("row", ["kube-scheduler", "=http://x", "kube-scheduler=file:///x"])
def test_other_metrics_make_no_sense(row: str) -> None:
    with pytest.raises(TargetMisconfigured, match="NAME=URL"):
        settings.metrics([row])
