"""Run checks of the suite in this process, on a reference with a fault, and collect records."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import warnings
from collections.abc import Iterable, Iterator

import pytest

from conformance.evidence.record import CheckRecord
from conformance.plugin.recording import from_fields

#: What a run inside a run must not inherit: a worker of pytest-xdist is no controller's.
_INHERITED = ("PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS")

_QUIET = (
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
    "-p",
    "no:xdist",
    "-p",
    "no:timeout",
    "-p",
    "no:faulthandler",
    "-p",
    "no:logging",
    # It looks for garbage five times as a run ends; once is enough here (see ``_tidy``).
    "-p",
    "no:unraisableexception",
    "-p",
    "no:threadexception",
    "-q",
    "--tb=no",
    "-W",
    "ignore",
)


class Collector:
    """Keeps the records of a run."""

    def __init__(self) -> None:
        self.records: list[CheckRecord] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the record of a finished check."""
        fields = getattr(report, "dra_record", None)
        if fields is not None:
            self.records.append(from_fields(fields))


def run(packages: Iterable[str], *options: str) -> list[CheckRecord]:
    """Return the records of these packages of the suite."""
    collector = Collector()
    said = io.StringIO()
    arguments = ["--pyargs", *packages, "-c", os.devnull, "--rootdir=/", *_QUIET, *options]
    with _alone(), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(arguments, plugins=[collector])
        _tidy()
    assert code in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}, said.getvalue()
    return collector.records


def _tidy() -> None:
    """Collect what the run has left; what complains of its end there is no later test's doing."""
    complaining, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        sys.unraisablehook = complaining


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in _INHERITED if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
