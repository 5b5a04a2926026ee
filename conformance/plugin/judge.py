"""The judge: every check of the suite becomes a record, whatever it came to."""

from __future__ import annotations

import gc
import os
import signal
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from conformance.catalogue import loading, proofs, waivers
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.catalogue.model import Catalogue
from conformance.evidence.verdict import Outcome
from conformance.harness import leftovers
from conformance.harness.errors import HarnessError, Unsupported
from conformance.harness.programs.component import Component
from conformance.harness.programs.consumer import Consumer
from conformance.harness.target import PLAIN, Cluster
from conformance.harness.targets import programs
from conformance.harness.targets.hosting import open_host
from conformance.harness.targets.opening import check_programs, open_target
from conformance.harness.timeouts import Bounds
from conformance.harness.world import World, WorldOptions
from conformance.plugin import decisions, ordering, outcomes, settings
from conformance.plugin.hooks import SUITE, hush_at_exit
from conformance.plugin.recording import Trace, from_fields, lost, to_fields
from conformance.plugin.writing import Run, Writer

#: Where the judge of a run is found.
JUDGE = pytest.StashKey["Judge"]()
_TRACE = pytest.StashKey[Trace]()

#: What ends a worker: Ctrl-C reaches the whole process group, SIGTERM comes from the controller.
_ENDING = (signal.SIGINT, signal.SIGTERM)

#: Objects more than are gone again before the young ones are looked through for garbage, and how
#: often the old are. With Python's own numbers that took a sixth of the processor time of a run.
_YOUNG, _OLDER = 50_000, (20, 100)

#: Last characters that are kept of why a module could not be collected.
_WORDS = 400

#: How outcomes that pytest does not know show on a terminal: category, letter, word.
_SHOWN: Mapping[Outcome, tuple[str, str, str]] = {
    Outcome.ERRORED: ("error", "E", "ERRORED"),
    Outcome.INCONCLUSIVE: ("inconclusive", "?", "INCONCLUSIVE"),
    Outcome.UNSUPPORTED: ("unsupported", "u", "UNSUPPORTED"),
    Outcome.WAIVED: ("waived", "w", "WAIVED"),
}


def plugin(config: pytest.Config) -> Judge:
    """Return the judge of this run; raises ``pytest.UsageError``."""
    try:
        return Judge(config)
    except (HarnessError, UnknownName, CatalogueError) as error:
        raise pytest.UsageError(str(error)) from error


class Judge:
    """One run: its target, its law, its selection, and the traces of its checks."""

    def __init__(self, config: pytest.Config) -> None:
        self.settings = settings.of(config)
        self.law = loading.load()
        chosen = self.law.select(self.settings.profiles, self.settings.only, self.settings.skip)
        self.selected = frozenset(one.id for one in chosen)
        self.waived = _waivers(self.settings.waivers, self.law)
        check_programs(self.settings.target)
        self.target = open_target(self.settings.target)
        self.host = open_host(self.settings.target)
        self.description = self.target.describe()
        self.options = WorldOptions(
            run=self.settings.run,
            image=self.settings.image,
            bounds=Bounds(
                seconds=_waits(self.law, self.settings.start_within),
                allowed=None if self.description.virtual else self.settings.max_wait,
            ),
        )
        self._randomly = config.pluginmanager.hasplugin("randomly")
        seed = config.getoption("randomly_seed", None) if self._randomly else self.settings.seed
        self.seed = seed if isinstance(seed, int) else self.settings.seed
        self._worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        run = Run(
            settings=self.settings,
            law=self.law,
            description=self.description,
            selected=self.selected,
            waived=self.waived,
            seed=self.seed,
        )
        #: Why a module of the suite could not be collected; empty where all were.
        self._unread = ""
        is_worker = hasattr(config, "workerinput")
        self._writer = Writer(run, writes=not is_worker)
        if is_worker:
            hush_at_exit()
        config.stash[JUDGE] = self

    # What checks get.

    def cluster(self, item: pytest.Item) -> Cluster:
        """Return the cluster of a check; raises ``Unsupported`` or ``HarnessError``."""
        return self.target.cluster(decisions.demand(item).variant)

    def world(self, item: pytest.Item, cluster: Cluster) -> World:
        """Return a new world of a check, named after the check."""
        number = f"{zlib.crc32(_name(item).encode()):08x}"
        world = World(cluster, self.options, number)
        item.stash[_TRACE].world = world
        return world

    def consumer(self, cluster: Cluster) -> Consumer:
        """Return the consumer that is judged; raises ``Unsupported``."""
        return programs.open_consumer(self.settings.target, cluster)

    def component(self) -> Component:
        """Return a component that takes gates; raises ``Unsupported``."""
        return programs.open_component(self.settings.target, self.target)

    # Pytest's hooks.

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Be ready to be interrupted, as a worker; others run the checks."""
        if self._worker:
            _end_once()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Shuffle the checks, unless pytest-randomly does so already."""
        if not self._randomly:
            items[:] = ordering.shuffled(items, _is_check, self.settings.seed)

    @staticmethod
    def pytest_collection_finish() -> None:
        """Look for garbage seldom: what was loaded and collected until now is held to the end."""
        gc.freeze()
        gc.set_threshold(_YOUNG, *_OLDER)

    def pytest_report_collectionfinish(self, items: list[pytest.Item]) -> str:
        """Say whom we judge, and how to repeat the order."""
        who = self.description
        count = sum(map(_is_check, items))
        return (
            f"dra-conformance: {count} checks, target {who.name} {who.server} "
            f"(Kubernetes {who.kubernetes_version}), seed {self.seed}, run {self.settings.run}"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Decide whether the check runs, before anything of it does."""
        if not _is_check(item):
            return
        wanted = decisions.demand(item)
        trace = item.stash[_TRACE] = Trace(
            check=_name(item),
            requirements=wanted.requirements,
            parameters=_parameters(item),
            worker=self._worker,
        )
        ruling = self._rule(trace, wanted)
        if ruling is not None:
            trace.settle(outcomes.Finding(outcome=ruling.outcome, message=ruling.reason))
            raise pytest.skip.Exception(ruling.reason, _use_item_location=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[Any]:
        """Say what the check came to, while its objects are there; hand the record on last."""
        report: Any = yield
        trace = item.stash.get(_TRACE, None)
        if trace is None:
            return report
        if call.when == "teardown":
            _forgive(report, call, trace)
            report.dra_record = to_fields(trace.record())
        elif call.excinfo is not None:
            self._settle(trace, call.excinfo.value)
            _show(report, item, trace)
        elif call.when == "call":
            trace.settle(outcomes.PASSED)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Show the outcomes that pytest does not know."""
        outcome = getattr(report, "dra_outcome", None)
        return _SHOWN.get(Outcome(outcome)) if outcome else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the record, here or in the controller of the workers."""
        fields = getattr(report, "dra_record", None)
        if fields is not None:
            self._writer.write(from_fields(fields))
        elif report.failed and report.when not in {"setup", "call", "teardown"}:
            # A worker of pytest-xdist died: the controller reports in its name.
            name = _spelled(report.nodeid)
            self._writer.write(lost(name, _judged_by(name), str(report.longrepr)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Say which module of the suite could not be read: its checks will not run."""
        if report.failed:
            words = " ".join(str(report.longrepr).split())[-_WORDS:]
            self._unread = f"{_spelled(report.nodeid)} could not be collected: {words}"
            self._writer.note(self._unread)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """End the journal and let the target go; every world is closed by now."""
        try:
            self._let_go()
        finally:
            interrupted = exitstatus == pytest.ExitCode.INTERRUPTED
            reason = self._unread or ("interrupted from outside" if interrupted else "")
            try:
                self._writer.finish(reason)
            finally:
                self.target.close()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Count the outcomes as the journal does."""
        if self._writer.counts:
            terminalreporter.write_line(f"dra-conformance: {self._writer.summary()}")

    # How they do it.

    def _let_go(self) -> None:
        """End the driver that was started, and delete what is left; say what stays."""
        for trouble in self.host.close():
            self._writer.note(f"clean-up: {trouble}")
        self._sweep()

    def _sweep(self) -> None:
        """Delete what a worker that was killed left in a live cluster, and say so."""
        if self._worker or self.description.virtual:
            return
        try:
            api = self.target.cluster(PLAIN).api
            found = [one for one in leftovers.find_all(api, self.settings.run) if not one.leaving]
            for trouble in leftovers.delete(api, found):
                self._writer.note(f"clean-up: {trouble}")
        except HarnessError as error:
            self._writer.note(f"clean-up: {error}")

    def _rule(self, trace: Trace, wanted: decisions.Demand) -> decisions.Ruling | None:
        left_out = decisions.selection(wanted, self.selected)
        if left_out is not None:
            return left_out
        try:
            cluster = self.target.cluster(wanted.variant)
        except Unsupported as error:
            return decisions.unsupported(error)
        trace.begin(cluster)
        return decisions.support(wanted, self.law, cluster)

    def _settle(self, trace: Trace, error: BaseException) -> None:
        if trace.finding is not None:
            return
        sources = [self.law.requirement(one).source for one in trace.requirements]
        finding = outcomes.of(error)
        finding = outcomes.because(finding, [f"{one.document}, {one.section}" for one in sources])
        trace.settle(outcomes.waived(finding, trace.requirements, self.waived))


def _waits(law: Catalogue, start_within: float | None) -> dict[str, float]:
    """Return the bounds of all waits; how long a driver may take to start is its own."""
    seconds = {name: wait.seconds for name, wait in law.waits.items()}
    if start_within is not None:
        seconds |= {"plugin-registered": start_within, "slice-published": start_within}
    return seconds


def _end_once() -> None:
    """Let the first signal interrupt the check, and none after it the clean-up.

    A worker is told several times: by the terminal, by its controller, and by execnet, which sends
    SIGINT to what has not ended within five seconds. What our caller chose to ignore stays ignored.
    """
    for one in _ENDING:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - Python's interface
    for one in _ENDING:
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


def _is_check(item: pytest.Item) -> bool:
    return SUITE in item.path.parents


def _name(item: pytest.Item) -> str:
    """Return the node id as it is in a checkout, wherever the package is installed."""
    path = item.path.relative_to(SUITE.parent.parent).as_posix()
    return "::".join([path, *item.nodeid.split("::")[1:]])


def _spelled(nodeid: str) -> str:
    """Return a node id from anywhere as it is in a checkout."""
    _, mark, rest = nodeid.rpartition("conformance/suite/")
    return f"{mark}{rest}"


def _judged_by(name: str) -> list[str]:
    """Return the ids that a check judges, as its source says: no process is left to tell."""
    function = name.partition("[")[0]
    return [
        one
        for check in proofs.collect().checks
        if check.nodeid == function
        for one in check.requirements
    ]


def _parameters(item: pytest.Item) -> dict[str, str]:
    callspec: Any = getattr(item, "callspec", None)
    return {} if callspec is None else {name: str(value) for name, value in callspec.params.items()}


def _waivers(path: Path | None, law: Catalogue) -> dict[str, str]:
    """Return the reasons of the waivers that hold today, by id."""
    if path is None:
        return {}
    today = datetime.now(UTC).date()
    return {one.id: one.reason for one in waivers.load(path, law).values() if one.holds(today)}


def _forgive(report: Any, call: pytest.CallInfo[None], trace: Trace) -> None:
    """Teardown never decides a verdict: its trouble becomes a note."""
    if call.excinfo is not None:
        trace.notes.append(f"{call.excinfo.typename}: {call.excinfo.value}")
        report.outcome = "passed"
        report.longrepr = None


def _show(report: Any, item: pytest.Item, trace: Trace) -> None:
    """Tell pytest what it should count: only what accuses or broke is a failure."""
    finding = trace.finding
    if finding is None:
        return
    report.dra_outcome = finding.outcome.value
    if finding.outcome is Outcome.WAIVED:
        report.outcome = "skipped"
        report.wasxfail = finding.message
    elif finding.outcome is Outcome.UNSUPPORTED:
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, (line or 0) + 1, f"Skipped: {finding.message}")
