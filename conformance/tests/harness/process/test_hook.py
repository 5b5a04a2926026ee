"""A hook keeps its contract, or says so in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.harness.process.command import Surroundings
from conformance.harness.process.hook import Hook, HookError, HookUnable

HERE = Surroundings(
    node_name="node-1",
    kubeconfig=Path("/k"),
    plugins_dir=Path("/p"),
    registrar_dir=Path("/r"),
    cdi_dir=Path("/c"),
)


def run(command: str, seconds: float = 20.0, **told: str) -> Any:
    return Hook(name="mark-unhealthy", command=command, seconds=seconds).run(HERE, told)


def test_a_hook_is_told_and_tells() -> None:
    script = """sh -c 'printf "{\\"%s\\": \\"%s %s\\"}" "$DRA_HOOK" "$DRA_DEVICE" "$NODE_NAME"'"""

    assert run(script, DRA_DEVICE="gpu-0") == {"mark-unhealthy": "gpu-0 node-1"}


def test_a_silent_hook_is_done() -> None:
    assert run("sh -c 'exit 0'") == {}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("sh -c 'echo no such device >&2; exit 1'", "code 1, saying last 'no such device'"),
        ("sh -c 'echo well'", "no JSON"),
        ("sh -c 'echo [1]'", "no object"),
    ],
)
def test_a_hook_that_fails_says_how(command: str, sentence: str) -> None:
    with pytest.raises(HookError, match=sentence.replace("[", r"\[")):
        run(command)


def test_a_hook_that_takes_too_long_is_ended() -> None:
    with pytest.raises(HookError, match=r"not ended within 0\.2 s"):
        run("sleep 60", seconds=0.2)


def test_a_hook_may_be_unable() -> None:
    with pytest.raises(HookUnable, match="can't do so here: read-only firmware"):
        run("sh -c 'echo read-only firmware >&2; exit 3'")
