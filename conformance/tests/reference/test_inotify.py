"""Directories that are watched on an event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from conformance.reference.inotify import DirectoryWatch


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    made = [tmp_path / name for name in ("first", "second")]
    for folder in made:
        folder.mkdir()
    return made


def instances() -> int:
    """Return how many instances of inotify this process holds."""
    held = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            held += str(descriptor.readlink()) == "anon_inode:inotify"
        except FileNotFoundError:
            continue
    return held


async def _turns() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_directories_of_one_loop_share_an_instance(folders: list[Path], seen: list[str]) -> None:
    async def scene() -> int:
        before = instances()
        watches = [DirectoryWatch(one, lambda one=one: seen.append(one.name)) for one in folders]
        held = instances() - before
        (folders[1] / "entry").touch()
        await _turns()
        for watch in watches:
            watch.close()
        return held + 10 * (instances() - before)

    assert asyncio.run(scene()) == 1
    assert set(seen) == {"second"}


def test_one_directory_can_be_watched_twice(folders: list[Path], seen: list[str]) -> None:
    async def scene() -> None:
        first = DirectoryWatch(folders[0], lambda: seen.append("first"))
        second = DirectoryWatch(folders[0], lambda: seen.append("second"))
        first.close()
        (folders[0] / "entry").touch()
        await _turns()
        second.close()

    asyncio.run(scene())

    assert set(seen) == {"second"}


def test_a_watch_can_be_closed_when_its_directory_is_gone(folders: list[Path]) -> None:
    async def scene() -> None:
        watch = DirectoryWatch(folders[0], lambda: None)
        folders[0].rmdir()
        await _turns()
        watch.close()
        watch.close()

    asyncio.run(scene())


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        with pytest.raises(FileNotFoundError, match="missing"):
            DirectoryWatch(tmp_path / "missing", lambda: None)

    before = instances()
    asyncio.run(scene())

    assert instances() == before
