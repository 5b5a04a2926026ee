"""Run the checks under pytest in this process, and be stopped in an orderly way.

Nothing but our own options reaches pytest: no configuration file, conftest or plugin of the
folder, the environment or the machine. A signal ends the run as Ctrl-C does, so that the
journal has its footer and the target is cleaned up.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from conformance.cli import console
from conformance.plugin import hooks

#: Variables by which an environment would change what pytest does.
_FOREIGN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DEBUG", "PYTEST_XDIST_WORKER")

#: Where the checks lie, as in a checkout.
_SUITE = "conformance/suite"

#: A second signal within so many seconds is the same one: some tools send it to us and to
#: our process group.
_SAME = 2.0

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


#: Seconds in which a worker has ended its driver and removed its files.
_CLEANED = 60.0

#: How often a worker that cleans up is looked at, in seconds.
_LOOK = 0.05


class Listener:
    """What pytest tells of a run that did not come to its own end."""

    def __init__(self) -> None:
        #: Why the run was ended, in a sentence; empty otherwise.
        self.ended = ""
        self._workers: list[Any] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        """Remember a worker of pytest-xdist."""
        self._workers.append(node)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Let workers clean up after an interruption: pytest-xdist kills them after 10 s.

        SIGTERM ends a worker whether Ctrl-C has reached it as well or not (see ``plugin.judge``).
        """
        if exitstatus != pytest.ExitCode.INTERRUPTED:
            return
        left = [one for one in self._workers if not one.channel.isclosed()]
        for worker in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.gateway._rinfo().pid, signal.SIGTERM)  # noqa: SLF001 - as xdist does
        deadline = time.monotonic() + _CLEANED
        while time.monotonic() < deadline and not all(one.channel.isclosed() for one in left):
            time.sleep(_LOOK)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep the reason of an exit; an interruption speaks for itself."""
        if isinstance(excinfo.value, pytest.exit.Exception):
            self.ended = str(excinfo.value)


def run(
    modules: Sequence[str],
    arguments: Sequence[str],
    *,
    allure: bool,
    listeners: Sequence[object] = (),
) -> tuple[int, str]:
    """Run the checks of modules, all without any; return pytest's exit code, and why it ended."""
    root = _folder("conformance").parent
    plugins = ["conformance.plugin.hooks", "xdist.plugin", *(["allure_pytest.plugin"] * allure)]
    fixed = [
        *(str(root / module) for module in modules or (_SUITE,)),
        # No configuration but ours, and no conftest but the suite's.
        "-c",
        os.devnull,
        # The root names the checks as a checkout does, wherever the package is installed.
        f"--rootdir={root}",
        f"--confcutdir={_folder('conformance.suite')}",
        *(word for name in ("no:cacheprovider", *plugins) for word in ("-p", name)),
        "-q",
        "--tb=line",
        "--strict-markers",
        "-W",
        "ignore",
    ]
    listener = Listener()
    with (
        tempfile.TemporaryDirectory(prefix="dra-conf-pytest-") as scratch,
        _environment(),
        _stoppable(),
        contextlib.redirect_stdout(console.Words()),
    ):
        code = pytest.main(
            [*fixed, f"--basetemp={scratch}/checks", *arguments], plugins=[listener, *listeners]
        )
    if code == pytest.ExitCode.INTERRUPTED:
        hooks.hush()
    return int(code), listener.ended


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(next(iter(spec.submodule_search_locations)))


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    """Keep the environment's wishes from pytest, here and in its workers."""
    before = dict(os.environ)
    for name in _FOREIGN:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the run as SIGINT does, each once."""
    last = -_SAME

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - Python's interface
        nonlocal last
        before, last = last, time.monotonic()
        if last - before > _SAME:
            raise KeyboardInterrupt

    # What our caller chose to ignore (nohup, a job in the background) stays ignored.
    heard = [one for one in _SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
    kept = {one: signal.signal(one, stop) for one in heard}
    try:
        yield
    finally:
        for one, handler in kept.items():
            signal.signal(one, handler)
