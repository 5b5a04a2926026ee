"""Cleaning: logs stay, everything else goes, mounts innermost first."""

from __future__ import annotations

import subprocess
from pathlib import Path

from conformance.upstream import leftovers, processes
from conformance.upstream.layout import Layout

TABLE = """\
22 1 0:21 / /proc rw - proc proc rw
90 1 0:50 / /state/n/a rw - tmpfs tmpfs rw
91 90 0:51 / /state/n/a/pods/deep\\040one rw - tmpfs tmpfs rw
92 1 0:52 / /stateful rw - tmpfs tmpfs rw
"""


def test_mounts_are_found_innermost_first(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(TABLE)

    found = leftovers.mounts(Path("/state"), table)

    assert found == ["/state/n/a/pods/deep one", "/state/n/a"]


def test_cleaning_kills_and_keeps_the_logs(tmp_path: Path) -> None:
    place = Layout(tmp_path)
    place.pids.mkdir()
    place.logs.mkdir()
    place.log("etcd").write_text("words\n")
    place.kubeconfig.write_text("{}")
    with subprocess.Popen(["sleep", "60"]) as child:
        processes.record(place.pids / "etcd.pid", child.pid)

        leftovers.clean(place)

        assert child.wait() == -9
    assert list(tmp_path.iterdir()) == [place.logs]
    assert place.log("etcd").read_text() == "words\n"


def test_cleaning_nothing(tmp_path: Path) -> None:
    leftovers.clean(Layout(tmp_path / "absent"))
