"""Small drivers that are wrong in one way each, and questions that make no sense."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import (
    TRACEBACK,
    Outcome,
    arguments,
    certify,
    command,
    is_alive,
    within,
)

#: What a driver may leave out.
OPTIONAL = (
    "DRA-DHL-",
    "DRA-DIN-",
    "DRA-DMT-",
    "DRA-HLT-",
    "DRA-DMD-",
    "DRA-MET-",
    "DRA-DRT-",
)

pytestmark = pytest.mark.acceptance


def test_a_driver_that_obeys_is_conformant(tmp_path: Path) -> None:
    done = certify(tmp_path, command())

    assert done.code == 0, done.said
    assert len(done.ids("passed")) == 15
    names = {"journal.jsonl", "report.json", "report.html", "junit.xml"}
    assert names <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.timeout(300)
def test_a_driver_that_obeys_has_every_profile(tmp_path: Path) -> None:
    done = certify(tmp_path, command(), "--profile", "driver/all", "--start-within", "12s")

    assert done.code == 0, done.said
    assert len(done.ids("passed")) >= 63
    # No health service, no metadata, no rolling updates, no account, no hooks, no field of a gate,
    # no probes, no metrics, no program in Go, no parameters.
    lacks = {one for one in done.ids("unsupported") if not one.startswith(OPTIONAL)}
    assert lacks == {
        "DRA-ADM-07a",
        "DRA-DST-29",
        "DRA-DST-33",
        "DRA-PUB-12",
        *(f"DRA-DLC-{number}" for number in (10, 11, 12, 13, *range(19, 26), 27, 28, 29)),
    }


@pytest.mark.parametrize("how", ["mount", "node"])
def test_a_driver_may_inject_what_it_likes(tmp_path: Path, how: str) -> None:
    done = certify(tmp_path, f"{command()} --inject {how}", "--only", "DRA-WF-14")

    assert done.code == 0, done.said


@pytest.mark.parametrize(
    ("wrong", "failed"),
    [
        ("exits", {"DRA-DRV-01", "DRA-DRV-02", "DRA-WF-01"}),
        ("hangs", {"DRA-DRV-01", "DRA-DRV-02", "DRA-WF-01"}),
        ("publishes-nothing", {"DRA-DRV-02", "DRA-WF-01"}),
        ("never-registers", {"DRA-DRV-01"}),
        ("other-type", {"DRA-DRV-01"}),
        ("answers-garbage", {"DRA-DRV-04"}),
        ("refuses-to-prepare", {"DRA-DRV-05"}),
        ("unresolvable", {"DRA-DRV-05"}),
        ("changes-nothing", {"DRA-DRV-05", "DRA-WF-14"}),
        ("forgets-unprepare", {"DRA-ADM-09", "DRA-DRV-06"}),
        ("refuses-to-unprepare", {"DRA-ADM-09", "DRA-DRV-06"}),
        ("keeps-devices", {"DRA-DRV-07"}),
        ("incomplete-pool", {"DRA-DRV-08"}),
        ("same-name-twice", {"DRA-DRV-08"}),
        ("other-node", {"DRA-DRV-08"}),
        ("leaves-socket", {"DRA-DRV-09"}),
    ],
)
def test_a_driver_that_is_wrong_fails_what_it_breaks(
    tmp_path: Path, wrong: str, failed: set[str]
) -> None:
    done = certify(tmp_path, command(wrong))

    assert done.code == 1, done.said
    assert done.ids("failed") == failed
    assert done.ids("errored") == set()
    assert TRACEBACK not in done.said
    assert f"small driver: {wrong}" in done.exhibits()


def test_a_driver_that_keeps_its_token_does_not_pass(tmp_path: Path) -> None:
    one = ("--profile", "driver/lifecycle", "--only", "DRA-DLC-30")
    done = certify(tmp_path, command("keeps-its-token"), *one, "--max-wait", "11s")

    # It has a minute to begin with its new token, and another one to work again.
    assert done.code == 4, done.said
    assert done.ids("inconclusive") == {"DRA-DLC-30"}
    assert "try a longer --max-wait" in done.exhibits()


def test_last_words_are_in_the_message(tmp_path: Path) -> None:
    done = certify(tmp_path, command("exits"))

    assert "the driver exited with code 1, saying last 'no such hardware'" in done.said


@pytest.mark.parametrize(
    ("driver", "sentence"),
    [
        ("true {nodename}", "unknown placeholder {nodename}; did you mean {node_name}?"),
        ("/no/such/driver", "can't be started: no program '/no/such/driver'"),
        ("driver 'unbalanced", "can't be read as a shell would"),
    ],
)
def test_a_command_that_cannot_be_right_is_refused(
    tmp_path: Path, driver: str, sentence: str
) -> None:
    assert_refused(certify(tmp_path, driver), sentence)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--driver-name", "Not A Name"], "--driver-name 'Not A Name'"),
        (["--start-within", "soon"], "--start-within 'soon' is no duration"),
        (["--profile", "driver/cor"], "driver/core"),
        (["--only", "DRA-DRV-9*"], "DRA-DRV-9*"),
        (["--class-file", "nowhere.yaml"], "nowhere.yaml can't be read"),
        (["--kubeconfig", "nowhere"], "either --driver-command or --kubeconfig"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    tmp_path: Path, more: list[str], sentence: str
) -> None:
    assert_refused(certify(tmp_path, command(), *more), sentence)


def assert_refused(done: Outcome, sentence: str) -> None:
    assert done.code == 2, done.said
    assert sentence in done.said
    assert done.said.count("\n") == 1
    assert not (done.out / "journal.jsonl").exists()


def test_an_interrupt_leaves_a_report_and_no_driver(tmp_path: Path) -> None:
    words = arguments(tmp_path, command("hangs"), "--start-within", "60s")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        child = child_of(process.pid)

        process.send_signal(signal.SIGINT)

        said = process.communicate(timeout=60)[0].decode()
    done = Outcome(code=process.returncode, said=said, out=tmp_path)
    assert done.code == 4, said
    assert TRACEBACK not in said
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert not is_alive(child)


def test_nothing_survives_a_kill(tmp_path: Path) -> None:
    words = arguments(tmp_path, command("hangs"), "--start-within", "60s")
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        child = child_of(process.pid)

        process.kill()

    assert within(10.0, lambda: not is_alive(child))


def child_of(pid: int) -> int:
    """Wait for the driver that a certification starts, and return its process id."""
    found: list[int] = []

    def look() -> bool:
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = path.read_text("utf-8").rpartition(")")[2].split()
                if int(fields[1]) == pid:
                    found.append(int(path.parent.name))
        return bool(found)

    assert within(60.0, look)
    # The child is found before it has become the driver; it needs no time to do so.
    return found[0]
