"""A driver command is checked before it is started, and filled word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.harness.process.command import CommandError, Surroundings, check, fill

SURROUNDINGS = Surroundings(
    node_name="node-1",
    kubeconfig=Path("/a b/kubeconfig"),
    plugins_dir=Path("/p"),
    registrar_dir=Path("/r"),
    cdi_dir=Path("/c"),
)


def test_placeholders_are_filled_and_stay_one_word() -> None:
    words = fill("sh -c 'x' --kubeconfig {kubeconfig} --dirs={plugins_dir}:{cdi_dir}", SURROUNDINGS)

    assert words == ["sh", "-c", "x", "--kubeconfig", "/a b/kubeconfig", "--dirs=/p:/c"]


def test_environment_has_every_placeholder_in_capitals() -> None:
    assert SURROUNDINGS.environment()["NODE_NAME"] == "node-1"
    assert set(SURROUNDINGS.environment()) == {
        "NODE_NAME",
        "KUBECONFIG",
        "PLUGINS_DIR",
        "REGISTRAR_DIR",
        "CDI_DIR",
        "POD_UID",
        "INSTANCE",
        "HEALTHCHECK_PORT",
        "METRICS_PORT",
    }


def test_json_in_braces_is_left_alone() -> None:
    assert fill("""sh -c '{"a": 1}'""", SURROUNDINGS) == ["sh", "-c", '{"a": 1}']


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        pytest.param("sh {node}", r"unknown placeholder \{node\}; did you mean", id="unknown"),
        pytest.param("sh 'x", "can't be read as a shell would", id="unbalanced quotes"),
        pytest.param("  ", "is empty", id="empty"),
        pytest.param("no-such-program -x", "no program 'no-such-program'", id="missing program"),
    ],
)
def test_a_mistake_is_one_sentence(command: str, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        check(command)
