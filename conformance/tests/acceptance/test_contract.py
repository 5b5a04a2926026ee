"""The command line as other programs rely on it: streams, shapes, help."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from conformance.catalogue import loading, proofs
from conformance.cli.main import main, program
from conformance.tests.acceptance.bad_input import run


def commands(path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command of the program, and every command of these."""
    found: click.Command = program
    for name in path:
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), name) or found
    if path:
        yield path
    if isinstance(found, click.Group):
        for name in found.list_commands(click.Context(found)):
            yield from commands((*path, name))


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*path, "--help"])

    printed = capsys.readouterr()
    assert code == 0
    assert printed.err == ""
    assert f"Example:\n    dra-conformance {path[0]}" in printed.out


def test_the_list_is_data_and_complete() -> None:
    done = run("list", "--format", "json")

    rows = {row["id"]: row for row in json.loads(done.stdout)}
    law, proved = loading.load(), proofs.collect()
    assert done.returncode == 0
    assert done.stderr == ""
    assert list(rows) == list(law.requirements)
    for name, row in rows.items():
        assert {"id", "level", "role", "profiles", "checks", "saboteurs"} <= row.keys()
        assert len(row["checks"]) == len(proved.checks_of(name))
        assert len(row["saboteurs"]) == len(proved.saboteurs_of(name))
        assert row["profiles"]
        assert row["checks"] or row["policies"] or row["gap"] or row["level"] == "INFO"
    assert any(row["saboteurs"] for row in rows.values())


def test_words_are_not_mixed_with_data() -> None:
    done = run("list", "--only", "DRA-BND-0*")

    assert all(line.startswith("DRA-BND-0") for line in done.stdout.splitlines())
    assert done.stderr.endswith(" requirements\n")


def test_the_installed_command_is_the_same_program() -> None:
    script = "from importlib.metadata import entry_points as e; "
    script += "(one,) = e(group='console_scripts', name='dra-conformance'); print(one.value)"
    installed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert installed.stdout.strip() == f"{main.__module__}:{main.__name__}"
    assert run("--version").stdout.startswith("dra-conformance, version ")
