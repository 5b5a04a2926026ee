"""The file system of a driver's CDI specs is full or read-only for a while, and goes with us."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.harness.errors import Undecided, Unsupported
from conformance.harness.process import disk
from conformance.harness.process.disk import SpecDisk


def may_mount() -> bool:
    """Tell whether a process like this one may mount a file system, and leave none behind."""
    words = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    return False


mounting = pytest.mark.skipif(not may_mount(), reason="this user may not mount file systems")


def is_mounted(root: Path) -> bool:
    return f" {root} " in Path("/proc/self/mounts").read_text("utf-8")


def said(folder: Path) -> str:
    """Return what becomes of a file that is written, empty where all is well."""
    path = folder / "spec.json"
    try:
        path.write_text("{}", "utf-8")
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "run" / "cdi"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def mounted(folder: Path) -> Iterator[SpecDisk]:
    one = SpecDisk(folder)
    one.mount()
    yield one
    one.close()


@mounting
@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        pytest.param(errno.ENOSPC, "ENOSPC", id="full"),
        pytest.param(errno.EROFS, "EROFS", id="read-only"),
    ],
)
def test_the_folder_takes_no_file_for_a_while(
    mounted: SpecDisk, folder: Path, trouble: int, told: str
) -> None:
    before = said(folder)
    (folder / "spec.json").unlink()
    with mounted.short(trouble):
        meanwhile = said(folder)

    assert (before, meanwhile, said(folder)) == ("", told, "")
    assert is_mounted(folder.parent)
    mounted.close()
    assert not is_mounted(folder.parent)
    assert list(folder.iterdir()) == []


@mounting
def test_a_full_folder_gives_room_when_something_is_removed(
    mounted: SpecDisk, folder: Path
) -> None:
    (folder / "other.json").write_text("{}", "utf-8")
    with mounted.short(errno.ENOSPC):
        first = said(folder)
        (folder / "other.json").unlink()

        assert (first, said(folder)) == ("ENOSPC", "")


@mounting
def test_a_file_that_is_being_written_stands_in_the_way(mounted: SpecDisk, folder: Path) -> None:
    with (
        (folder / "open.json").open("w"),
        pytest.raises(Undecided, match="is open"),
        mounted.short(errno.EROFS),
    ):
        pass

    assert said(folder) == ""


@mounting
def test_nothing_stays_mounted_when_we_are_killed(folder: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path;"
        "from conformance.harness.process.disk import SpecDisk;"
        f"one = SpecDisk(Path({str(folder)!r})); one.mount(); print('up', flush=True);"
        "sys.stdin.read()"
    )
    words = [sys.executable, "-c", script]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"up\n"
        assert is_mounted(folder.parent)
        os.kill(running.pid, signal.SIGKILL)

    deadline = time.monotonic() + 30
    while is_mounted(folder.parent) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_mounted(folder.parent)


@pytest.fixture
def refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> SpecDisk:
    monkeypatch.setattr(disk, "_mount", lambda *_: errno.EPERM)
    one = SpecDisk(folder)
    one.mount()
    return one


def test_permissions_have_to_do_where_nothing_can_be_mounted(
    refused: SpecDisk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_refused", lambda _: errno.EACCES)
    with refused.short(errno.EROFS):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o555

    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert list(folder.iterdir()) == []


def test_what_does_not_hold_is_unsupported(
    refused: SpecDisk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_refused", lambda _: 0)
    with pytest.raises(Unsupported, match="may not mount"), refused.short(errno.EROFS):
        pass
    with pytest.raises(Unsupported, match="may not mount"), refused.short(errno.ENOSPC):
        pass

    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
