"""Start, watch and end one child process; keep what it says."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import attrs

from conformance.harness.errors import Unsupported
from conformance.harness.process.clock import ClockError, SessionClock
from conformance.harness.process.command import CommandError

#: How much of the end of the output is kept as evidence, in bytes.
TAIL_BYTES = 8192

#: How often an ended or starting process is looked at, in seconds.
_LOOK = 0.02

#: What becomes the program.
_BECOME = Path(__file__).with_name("become.py")


@attrs.frozen(kw_only=True)
class Departure:
    """How a program ended that was asked to.

    ``code`` is its exit code, negative for a signal; ``in_time`` tells whether asking was enough.
    """

    in_time: bool
    code: int


class Child:
    """A program that runs in its own process group; a context manager.

    Its standard output and error go to one file, so that a program which writes much never
    blocks on us and its last words survive it.
    """

    def __init__(self, words: Sequence[str], *, environment: Mapping[str, str], log: Path) -> None:
        self._words = list(words)
        self._environment = {**os.environ, **environment}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._ahead = 0
        self._clock: SessionClock | None = None
        #: Whether it was started on a machine that was up for longer than ours (see ``shifted``).
        self.is_shifted = False

    def __enter__(self) -> Self:
        """Start the program; raises ``CommandError`` when it can't be started."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the program and everything that it started."""
        self.stop()

    def start(self) -> None:
        """Start the program, again after ``stop`` or ``kill``; the log goes on."""
        self._must_exist()
        with self._log.open("ab") as log:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - running it is the purpose
                    [*_becoming(self._ahead), *self._words],
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                reason = error.strerror or str(error)
                raise CommandError(f"{self._words[0]!r} can't be started: {reason}") from error
        self._started = time.monotonic()
        # It leads a session of its own.
        self._clock = SessionClock(self._process.pid)
        self.is_shifted = self._ahead != 0

    @contextlib.contextmanager
    def shifted(self, seconds: int) -> Iterator[None]:
        """Have a program that is started meanwhile find that its machine was up for so much longer.

        That is what its monotonic clock and the boot time say. Raises ``Unsupported``.
        """
        if seconds:
            _must_be_possible(seconds)
        self._ahead = seconds
        try:
            yield
        finally:
            self._ahead = 0

    def _must_exist(self) -> None:
        program = self._words[0]
        if shutil.which(program) is None:
            reason = "Permission denied" if Path(program).exists() else "No such file or directory"
            raise CommandError(f"{program!r} can't be started: {reason}")

    @property
    def exit_code(self) -> int | None:
        """Return the exit code of an ended program (negative: a signal), None while it runs."""
        return None if self._process is None else self._process.poll()

    @property
    def pid(self) -> int | None:
        """Return the id of the process while it runs."""
        return self._process.pid if self._process is not None and self.is_alive() else None

    @property
    def age(self) -> float:
        """Return the seconds since the program was started the last time, on its own clock."""
        return time.monotonic() - self._started + (self._clock.ahead if self._clock else 0)

    def hurry(self, seconds: int) -> bool:
        """Let so much time pass for the program, in no time; say whether that is possible here."""
        if self._clock is None:
            return False
        try:
            self._clock.move(seconds)
        except ClockError:
            return False
        return True

    def set_wall(self, seconds: int) -> None:
        """Let the program's wall clock be so far ahead until it is started again.

        Raises ``Unsupported`` where that is not possible here.
        """
        try:
            if self._clock is not None:
                self._clock.set_wall(seconds)
        except ClockError as error:
            if self.is_alive():
                raise Unsupported(
                    f"the check sets the driver's wall clock, and it can't be: {error}"
                ) from error

    def is_alive(self) -> bool:
        """Return whether the program was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def stop(self, *, patience: float = 10.0) -> bool:
        """Send SIGTERM, after ``patience`` seconds SIGKILL; return whether SIGTERM was enough."""
        if self._process is None:
            return True
        self._signal(signal.SIGTERM)
        obeyed = _within(patience, lambda: not self.is_alive())
        self.kill()
        return obeyed

    def end(self, *, patience: float) -> Departure:
        """Send SIGTERM, after ``patience`` seconds SIGKILL; return how the program ended."""
        in_time = self.stop(patience=patience)
        code = self.exit_code
        return Departure(in_time=in_time, code=0 if code is None else code)

    def pause(self) -> None:
        """Stop the program in its tracks, as by SIGSTOP."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused program go on."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the whole process group at once and reap it."""
        if self._process is not None:
            self._signal(signal.SIGKILL)
            self._process.wait()

    def tail(self) -> str:
        """Return the last words of the program, at most ``TAIL_BYTES`` of them."""
        if not self._log.exists():
            return ""
        with self._log.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(0, size - TAIL_BYTES))
            return log.read().decode("utf-8", "replace")

    def story(self) -> str:
        """Return in one sentence how the program is."""
        code = self.exit_code
        if self._process is None:
            return "the driver was not started"
        if code is None:
            return f"the driver runs (pid {self._process.pid})"
        if code < 0:
            return f"the driver was ended by signal {signal.Signals(-code).name}"
        return f"the driver exited with code {code}"

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return


def _becoming(ahead: int) -> list[str]:
    return [sys.executable, "-IS", str(_BECOME), str(os.getpid()), str(ahead)]


def _must_be_possible(ahead: int) -> None:
    """Try it without a program: where it is refused the driver is not to blame."""
    tried = subprocess.run(  # noqa: S603 - our own interpreter
        _becoming(ahead), capture_output=True, text=True, check=False
    )
    if tried.returncode:
        why = tried.stderr.strip().rpartition("\n")[2]
        raise Unsupported(
            "the check starts the driver on another monotonic clock, and this machine gives it "
            f"none (time_namespaces(7), for root or where user name spaces are allowed): {why}"
        )


def _within(seconds: float, true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK)
    return True
