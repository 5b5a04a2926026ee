"""Several copies of a driver that are interrupted: nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import TRACEBACK, arguments, command, is_alive, within

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    "send",
    [
        pytest.param(lambda pid: os.killpg(pid, signal.SIGINT), id="Ctrl-C"),
        pytest.param(lambda pid: os.kill(pid, signal.SIGTERM), id="SIGTERM-to-the-program-alone"),
    ],
)
def test_copies_that_are_interrupted_leave_nothing(
    tmp_path: Path, scratch: Path, send: Callable[[int], None]
) -> None:
    note = f"sh -c 'echo $$ > {tmp_path}/pid-{{instance}}; exec {command('hangs')}'"
    words = arguments(tmp_path / "out", note, "--start-within", "60s", "-n", "2")
    with subprocess.Popen(
        words,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        notes = [tmp_path / f"pid-{number}" for number in range(2)]
        assert within(120, lambda: all(one.exists() and one.read_text() for one in notes))

        send(process.pid)

        said = process.communicate(timeout=120)[0].decode()

    assert process.returncode == 4, said
    assert TRACEBACK not in said
    assert list(scratch.iterdir()) == []
    assert not any(is_alive(int(one.read_text())) for one in notes)
