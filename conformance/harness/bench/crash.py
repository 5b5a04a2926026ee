"""A driver that is killed in the middle of a call, or finds its state damaged or lost."""

from __future__ import annotations

import contextlib
import functools
import random
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import attrs

from conformance.harness.bench.bench import Bench
from conformance.harness.bench.cdi import Specs
from conformance.harness.bench.handmade import Place
from conformance.harness.errors import Unsupported, Violation
from conformance.harness.kubeletside import claims as calls
from conformance.harness.kubeletside import registration
from conformance.harness.kubeletside.claims import Answer
from conformance.kube.objects import Object

#: From what the points at which a driver is killed are drawn.
SEED = 20261129

#: How often it is killed somewhere in a call, beside once before it and once after it.
ROUNDS = 3


@attrs.frozen
class _Point:
    """When in a call the driver is killed: ``seconds`` after its begin, or before or after it."""

    when: str
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.when == "during":
            return f"killed {self.seconds * 1000:.1f} ms after the call (seed {SEED})"
        return f"killed {self.when} the call"


def while_preparing(bench: Bench, place: Place) -> list[str]:
    """Kill the driver while it prepares claims with a device, and return what went wrong then.

    Each claim is prepared and undone by the next process.
    """
    before = bench.settled()
    found: list[str] = []
    for number, point in enumerate(_points(bench, place)):
        claim = bench.claim(f"claim-{number}", place)
        _killed(bench, functools.partial(calls.prepare, bench.registration(), claim), point)
        again = bench.prepare(claim)
        found += _troubles(point, "NodePrepareResources", again)
        found += _undone(bench, claim, again, (point, before))
    return found


def while_undoing(bench: Bench, place: Place) -> list[str]:
    """Kill the driver while it undoes claims with a device, and return what went wrong then."""
    before = bench.settled()
    found: list[str] = []
    for number, point in enumerate(_points(bench, place)):
        claim = bench.claim(f"claim-{number}", place)
        prepared = bench.prepared(claim)
        _killed(bench, functools.partial(calls.unprepare, bench.registration(), claim), point)
        found += _undone(bench, claim, prepared, (point, before))
    return found


def left_after_damage(bench: Bench, claim: Object, was: tuple[Specs, Answer]) -> list[str]:
    """Let the driver find half of each of its files, and return what it leaves of a claim.

    A driver that ends leaves nothing. ``was`` are the CDI specs before the claim and its answer.
    Raises ``Unsupported`` for a driver that keeps no file.
    """
    bench.driver.terminate()
    for path in _files(bench):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    bench.driver.start()
    if _fate(bench):
        return []
    undone = bench.unprepare(claim)
    return [undone.error] if undone.error else bench.folder.read().left(was[0], claim, was[1])


def lose(bench: Bench) -> None:
    """Let the driver find none of its files; raises ``Unsupported`` for one that keeps none."""
    bench.driver.must_be_ours("removes the state of the driver")
    bench.driver.terminate()
    for path in _files(bench):
        path.unlink()
    bench.driver.start()
    bench.registration()


@contextlib.contextmanager
def kept(bench: Bench) -> Iterator[None]:
    """Put the state of the driver back at the end, and start it again."""
    bench.driver.must_be_ours("damages the state of the driver")
    folder = _folder(bench)
    kept = folder.with_name(f"{folder.name}.kept-by-dra-conformance")
    _copy(folder, kept)
    try:
        yield
    finally:
        bench.driver.terminate()
        _copy(kept, folder)
        shutil.rmtree(kept)
        bench.driver.start()
        bench.registration()


def _points(bench: Bench, place: Place) -> list[_Point]:
    """Return the points: the whole length of a call is drawn from."""
    claim = bench.claim("measured", place)
    begin = time.monotonic()
    bench.prepared(claim)
    took = time.monotonic() - begin
    bench.unprepared(claim)
    bench.delete(claim)
    drawn = random.Random(SEED)  # noqa: S311 - points in time, to be drawn again
    within = [_Point("during", drawn.uniform(0.0, took)) for _ in range(ROUNDS)]
    return [_Point("before"), *within, _Point("after")]


def _killed(bench: Bench, call: Callable[[], Any], point: _Point) -> None:
    """Make a call and kill the driver meanwhile; what the call brings is as it may be."""
    bench.driver.must_be_ours("kills the driver")
    with ThreadPoolExecutor(1) as thread:
        if point.when == "before":
            bench.driver.kill()
        made = thread.submit(call)
        wait([made], timeout=point.seconds if point.when == "during" else None)
        bench.driver.kill()
        with contextlib.suppress(Violation):
            made.result()
    bench.driver.start()
    bench.registration()


def _undone(bench: Bench, claim: Object, answer: Answer, point: tuple[_Point, Specs]) -> list[str]:
    undone = bench.unprepare(claim)
    left = bench.folder.read().left(point[1], claim, answer)
    return [
        *_troubles(point[0], "NodeUnprepareResources", undone),
        *(f"{point[0]}: {name} is left" for name in left),
    ]


def _troubles(point: _Point, method: str, answer: Answer) -> list[str]:
    return [f"{point}: {method}: {answer.error}"] if answer.error else []


def _fate(bench: Bench) -> str:
    """Wait until the driver ends or registers; return how it ended, empty if it did not."""
    driver, folder = bench.driver, bench.access.registrar_dir

    def look() -> str:
        return driver.ended() or registration.find(folder, driver.name, bench.world.note).name

    found = bench.world.until("the driver ends or registers", look, bound="plugin-registered")
    return "" if found == driver.name else found


def _folder(bench: Bench) -> Path:
    return bench.access.plugins_dir / bench.driver.name


def _files(bench: Bench) -> list[Path]:
    found = [path for path in sorted(_folder(bench).rglob("*")) if path.is_file()]
    if not found:
        bench.driver.start()
        bench.registration()
        raise Unsupported("the check damages the state of the driver, which keeps no file of it")
    return found


def _copy(source: Path, target: Path) -> None:
    """Copy the files of a folder, without its sockets."""
    target.mkdir(parents=True, exist_ok=True)
    for path in source.rglob("*"):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
