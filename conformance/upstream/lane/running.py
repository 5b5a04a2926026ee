"""Run the suite on the clusters of the lane, each run a pytest process of its own.

The suite is asked as any user asks it. What it says of the cluster stands in its journal; a
cluster that came down meanwhile, or a run that pytest could not finish, is trouble of the
lane and never a verdict.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import attrs
from attrs import frozen

from conformance.evidence import journal
from conformance.upstream import errors, layout, leftovers, processes
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import asking, casualties, merging, watching
from conformance.upstream.lane.clusters import Run, Witness
from conformance.upstream.lane.driver import scripted

#: Clusters that run at the same time: each needs about 700 MiB, and most of a run is waiting.
AT_ONCE = 2


#: Checks that a run may fail and that are asked again.
_AGAIN_AT_MOST = 10


@frozen(kw_only=True)
class Judged:
    """What the lane found: journals by the name of their run, and what went wrong on the way."""

    journals: dict[str, Path]
    #: One sentence for each cluster whose runs did not come to their own end.
    troubles: tuple[str, ...] = ()


@frozen(kw_only=True)
class Lane:
    """Where the results go, who hears how it goes on, and whether it was called off."""

    out: Path
    progress: Callable[[str], None]
    stop: threading.Event


def judge(witnesses: Iterable[Witness], out: Path, progress: Callable[[str], None]) -> Judged:
    """Bring every cluster up and run the suite on it.

    ``out`` gets the journals and what pytest printed, and a cluster's logs where something
    went wrong. ``KeyboardInterrupt`` ends every run, and takes the clusters down, before it
    goes on.
    """
    out.mkdir(parents=True, exist_ok=True)
    leftovers.sweep()
    lane = Lane(out=out, progress=progress, stop=threading.Event())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(_judge_on, witness, lane) for witness in witnesses]
        found = _results(running, lane.stop)
    return Judged(
        journals={name: path for one in found for name, path in one.journals.items()},
        troubles=tuple(trouble for one in found for trouble in one.troubles),
    )


def read(path: Path) -> journal.Journal:
    """Return the journal in a file; raises :class:`errors.UpstreamError`."""
    try:
        return journal.decode(path.read_bytes().decode("utf-8", "replace").split("\n"))
    except (OSError, journal.JournalError) as error:
        raise errors.UpstreamError(f"the journal {path} cannot be read: {error}") from error


def text(found: journal.Journal) -> str:
    """Return a journal as its file holds it."""
    footer = [] if found.footer is None else [found.footer]
    events = [found.header, *found.checks, *found.notes, *footer]
    return "".join(map(journal.encode, events))


def _results(running: list[Future[Judged]], stop: threading.Event) -> list[Judged]:
    try:
        return [one.result() for one in running]
    except BaseException:
        stop.set()
        for one in running:
            one.cancel()
        raise


def _judge_on(witness: Witness, lane: Lane) -> Judged:
    """Judge one cluster; what breaks there is told, and ends the runs on this cluster alone."""
    journals: dict[str, Path] = {}
    troubles: list[str] = []
    kept = lane.out / f"{witness.name}-logs"
    shutil.rmtree(kept, ignore_errors=True)
    with leftovers.scratch() as folder:
        # A short name: the sockets of drivers lie deep below it.
        place = layout.layout(folder / "c")
        lane.progress(f"{witness.name}: the cluster comes up")
        try:
            with Cluster(place.state, witness.plan) as cluster:
                processes.record(place.supervisor, os.getpid())
                _all_runs(cluster, witness, lane, journals)
        except (errors.UpstreamError, OSError) as error:
            trouble = f"{witness.name}: {error}"
            if _copied(place.logs, kept):
                trouble = trouble.replace(str(place.logs), str(kept))
            lane.progress(trouble)
            troubles.append(trouble)
            _settle(error, list(journals.values()), trouble)
        finally:
            leftovers.clean(place)
    return Judged(journals=_written(journals), troubles=tuple(troubles))


def _all_runs(cluster: Cluster, witness: Witness, lane: Lane, journals: dict[str, Path]) -> None:
    """Make every run on a cluster; ``journals`` takes each as it begins, by its name."""
    with contextlib.ExitStack() as stack:
        is_installed = bool(cluster.nodes) and not witness.configured
        guard = stack.enter_context(scripted(cluster)) if is_installed else _nothing

        def ask(run: Run, name: str) -> Path:
            path = journals[name] = lane.out / f"{name}.jsonl"
            path.unlink(missing_ok=True)
            log = path.with_suffix(".log")
            command = asking.arguments(cluster, witness, run, path)
            watching.run(cluster, command, journal=path, log=log, guard=guard, stop=lane.stop)
            lane.progress(f"{name}: {watching.last_line(log)}")
            return path

        for run in witness.runs:
            name = f"{witness.name}-{run.name}"
            again = _alone(run, read(ask(run, name)))
            if again is not None:
                ask(again, name + merging.AGAIN)


def _alone(run: Run, found: journal.Journal) -> Run | None:
    """Return a run that asks once more what failed in this one, or None where nothing did.

    Where much failed it is no matter of what ran beside it, and nothing is asked again.
    """
    failed = merging.failures(found)
    if not 0 < len(failed) <= _AGAIN_AT_MOST:
        return None
    ids = sorted({one for record in failed for one in record.requirements})
    return attrs.evolve(run, only=tuple(ids), skip=(), workers=1)


def _copied(logs: Path, kept: Path) -> bool:
    """Copy logs to where they outlive their cluster; say whether there was room for them."""
    try:
        shutil.copytree(logs, kept, dirs_exist_ok=True)
    except OSError:
        shutil.rmtree(kept, ignore_errors=True)
        return False
    return True


def _settle(error: Exception, paths: list[Path], why: str) -> None:
    """Let no check of a broken cluster accuse it, nor stand as if nothing had been."""
    if not isinstance(error, watching.BrokenRunError) or error.sound is None:
        return
    path = paths[-1]
    with contextlib.suppress(OSError, journal.JournalError):
        spoilt = casualties.errored(path.read_bytes(), error.sound, why)
        path.write_text(text(spoilt))


def _written(journals: dict[str, Path]) -> dict[str, Path]:
    """Return the journals that were begun: pytest may have died before it judged anything."""
    return {name: path for name, path in journals.items() if path.exists() and path.stat().st_size}


def _nothing() -> None:
    """Guard nothing: the suite starts the driver itself, and judges how it fares."""
