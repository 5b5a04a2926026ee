"""What a driver uses up while it prepares and undoes claims again and again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import attrs

from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided
from conformance.kube.objects import Object

#: How often a claim is prepared and undone at most, and where time is virtual: what a driver
#: inside another process uses up can be seen in its files alone.
CYCLES, VIRTUAL_CYCLES = 1000, 30

#: Cycles before anything is measured: what a driver makes once is there by then.
_WARM = 10

#: By how much a process may grow: garbage is collected when it pleases, in bytes.
_MEMORY = 48 * 2**20


@attrs.frozen(kw_only=True)
class Footprint:
    """What a driver holds; None where its process is not known."""

    files: frozenset[str]
    descriptors: int | None
    memory: int | None


def growth(bench: Bench, claim: Object) -> list[str]:
    """Prepare and undo a claim again and again, and return what grew with that."""
    _cycle(bench, claim, _WARM, seconds=float("inf"))
    before = footprint(bench, claim)
    seconds = bench.world.options.bounds.seconds["driver-cycles"]
    virtual = bench.world.cluster.time.virtual
    done = _cycle(bench, claim, VIRTUAL_CYCLES if virtual else CYCLES, seconds=seconds)
    after = footprint(bench, claim)
    allowed = max(4, done // 10)
    found: list[str] = []
    fresh = sorted(after.files - before.files)
    if len(fresh) > allowed:
        found.append(f"{len(fresh)} files, such as {fresh[0]}")
    if _grown(before.descriptors, after.descriptors) > allowed:
        found.append(f"from {before.descriptors} to {after.descriptors} descriptors")
    if _grown(before.memory, after.memory) > _MEMORY:
        found.append(f"from {before.memory} to {after.memory} bytes of memory")
    return [f"after {done} cycles: {one}" for one in found]


def footprint(bench: Bench, claim: Object) -> Footprint:
    """Return what the driver holds now: its files and, where it is known, its process."""
    access, name = bench.access, bench.driver.name
    files = [path for path in (access.plugins_dir / name).rglob("*") if not path.is_dir()]
    files += [path for path in access.registrar_dir.iterdir() if name in path.name]
    uid = claim["metadata"]["uid"]
    files += [path for path in access.cdi_dir.iterdir() if name in path.name or uid in path.name]
    process = bench.driver.process
    return Footprint(
        files=frozenset(map(str, files)),
        descriptors=None if process is None else len(list(Path(f"/proc/{process}/fd").iterdir())),
        memory=None if process is None else _memory(process),
    )


def _cycle(bench: Bench, claim: Object, most: int, *, seconds: float) -> int:
    """Prepare and undo a claim so often, but no longer than that; return how often it was."""
    end = time.monotonic() + seconds
    for number in range(most):
        bench.prepared(claim)
        bench.unprepared(claim)
        if bench.driver.ended():
            raise Undecided("not judged, since the driver has ended")
        if time.monotonic() > end:
            return number + 1
    return most


def _grown(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else after - before


def _memory(process: int) -> int:
    """Return the memory that belongs to a process alone, in bytes (proc(5), statm)."""
    pages = Path(f"/proc/{process}/statm").read_text("utf-8").split()
    return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
