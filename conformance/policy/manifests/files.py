"""Files, folders and stdin as objects."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from conformance.policy.manifests.documents import Reading, read_journal, read_text
from conformance.policy.model import Place, Trouble

#: Larger files are not read: an object is at most 1.5 MiB large (etcd's limit).
LARGEST_BYTES = 16 * 2**20
_SUFFIXES = {".yaml", ".yml", ".json"}
_CHART = "Chart.yaml"
_STDIN = "-"
_NO_FILE = "cannot be read: it is a pipe or a device"


def read(paths: Iterable[str]) -> Reading:
    """Return the objects of files, of the files of folders, and of stdin (``-``).

    A file that several paths lead to is read once.
    """
    readings: list[Reading] = []
    seen: set[str] = set()
    for found in (one for path in paths for one in _named(path)):
        if isinstance(found, Reading):
            readings.append(found)
        elif (real := os.path.realpath(found)) not in seen:
            seen.add(real)
            readings.append(_file(found))
    # Joined at once: adding up one by one would copy what is there for each file.
    return Reading(
        manifests=tuple(one for reading in readings for one in reading.manifests),
        troubles=tuple(one for reading in readings for one in reading.troubles),
        others=sum(reading.others for reading in readings),
        files=sum(reading.files for reading in readings),
    )


def _named(path: str) -> Iterator[Path | Reading]:
    """Yield the files that an argument stands for, and what was read or refused already."""
    if path == _STDIN:
        yield _bounded(sys.stdin.buffer.read(LARGEST_BYTES + 1), "<stdin>")
    elif os.path.isdir(path):  # noqa: PTH112 - Path raises below a folder that can't be searched
        yield from _below(Path(path))
    else:
        yield Path(path)


def _below(root: Path) -> Iterator[Path | Reading]:
    """Yield the files of a folder in a fixed order; what was not rendered is told, not read.

    Links to folders are followed, once each: they may lead back up.
    """
    locked: list[OSError] = []
    entered = {os.path.realpath(root)}
    for folder, folders, files in os.walk(root, onerror=locked.append, followlinks=True):
        here = Path(folder)
        folders[:] = [name for name in sorted(folders) if _enters(here / name, entered)]
        if _CHART in files:
            folders.remove("templates") if "templates" in folders else None
            sentence = f"a chart is rendered before it is judged: helm template {here} | …lint -"
            place = Place(file=str(here / _CHART))
            yield Reading(troubles=(Trouble(place=place, sentence=sentence),))
            continue
        for name in sorted(files):
            if Path(name).suffix in _SUFFIXES and not name.startswith("."):
                yield here / name if _plain(here / name) else _refused(str(here / name), _NO_FILE)
    for error in locked:
        yield _refused(str(error.filename), f"cannot be read: {error.strerror or error}")


def _enters(folder: Path, entered: set[str]) -> bool:
    """Tell whether a folder is one to look into, and remember that it was."""
    real = os.path.realpath(folder)
    if folder.name.startswith(".") or real in entered:
        return False
    entered.add(real)
    return True


def _plain(path: Path) -> bool:
    """Tell whether opening a path cannot wait for a writer, as a pipe and a device do."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        # Opening tells what is wrong.
        return True


def _file(path: Path) -> Reading:
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_BYTES + 1)
    except OSError as error:
        return _refused(str(path), f"cannot be read: {error.strerror or error}")
    return _bounded(data, str(path))


def _bounded(data: bytes, name: str) -> Reading:
    if len(data) > LARGEST_BYTES:
        return _refused(name, f"is larger than {LARGEST_BYTES >> 20} MiB: split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        place = Place(file=name, line=line, column=column)
        return Reading(troubles=(Trouble(place=place, sentence="is not UTF-8 text"),), files=1)
    if name.endswith(".jsonl"):
        return read_journal(text, name)
    return read_text(text, name)


def _refused(name: str, sentence: str) -> Reading:
    return Reading(troubles=(Trouble(place=Place(file=name, line=1, column=1), sentence=sentence),),
                   files=1)  # fmt: skip
