"""The command that judges one requirement again."""

from __future__ import annotations

import pytest

from conformance.report.reproduce import command_for


@pytest.mark.parametrize(
    ("words", "seed", "expected"),
    [
        pytest.param(
            ("/opt/bin/dra-conformance", "run", "--target", "bundled", "-n", "2", "--out", "d"),
            42,
            "dra-conformance run --target bundled --only DRA-A-1 --seed 42 --out report-DRA-A-1",
            id="run",
        ),
        pytest.param(
            ("dra-conformance", "run", "--only=DRA-*", "--skip", "DRA-B-*", "--seed=1"),
            7,
            "dra-conformance run --only DRA-A-1 --seed 7",
            id="selection and seed are replaced",
        ),
        pytest.param(
            ("dra-conformance", "certify", "--driver-command", "driver --node '{node_name}'"),
            None,
            "dra-conformance certify --driver-command "
            """'driver --node '"'"'{node_name}'"'"'' --only DRA-A-1""",
            id="words are quoted",
        ),
        pytest.param(
            ("dra-conformance", "certify", "--instances", "6", "--driver-name", "d"),
            1,
            "dra-conformance certify --driver-name d --only DRA-A-1 --seed 1",
            id="one check needs one instance",
        ),
        pytest.param(
            ("/venv/site-packages/conformance/__main__.py", "run"),
            None,
            "python -m conformance run --only DRA-A-1",
            id="started as a module",
        ),
        pytest.param(
            (
                "/v/pytest/__main__.py",
                "--pyargs",
                "conformance.suite",
                "--dra-journal=j",
                "-n",
                "2",
            ),
            3,
            "python -m pytest --pyargs conformance.suite --dra-only DRA-A-1 --dra-seed 3",
            id="under pytest the options have a prefix",
        ),
        pytest.param((), 1, "", id="nobody knows the command"),
    ],
)
def test_the_command_judges_one_requirement_the_same_way(
    words: tuple[str, ...], seed: int | None, expected: str
) -> None:
    assert command_for(words, "DRA-A-1", seed=seed) == expected
