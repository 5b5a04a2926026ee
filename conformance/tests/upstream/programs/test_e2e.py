"""Kubernetes' own tests of DRA against the reference: programs that nobody here wrote."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import data
from conformance.tests.upstream.programs.serving import reference
from conformance.upstream import build

pytestmark = [pytest.mark.upstream, pytest.mark.timeout(1800)]

#: What the framework does for a whole distribution, and an API server alone has not.
_FLAGS = (
    "--provider=local",
    "--e2e-verify-service-account=false",
    "--dump-logs-on-failure=false",
    "--ginkgo.no-color",
)
#: Programs that share the tests; each of them mostly waits.
_SHARES = 3
_PREFIX = "[sig-node] [DRA] "


def table() -> dict[str, Any]:
    """Return which tests pass, and which are out of reach."""
    return yaml.safe_load(data.fixtures("upstream", "e2e", "tests.yaml").read_text())


def short(test: str) -> str:
    """Return the name of a test without its labels."""
    return re.sub(r"\s*\[[^\]]*\]", "", test.removeprefix(_PREFIX)).strip()


def exactly(test: str) -> str:
    """Return the pattern, as Go has them, of the tests that end so: of one."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", test) + "$"


@pytest.fixture(scope="module")
def program() -> Path:
    """Build the program, or skip with the sentence that says why it cannot be."""
    try:
        return build.binary("dra-e2e")
    except build.errors.UnavailableError as error:
        pytest.skip(f"not run: {error}")


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Iterator[Path]:
    """Serve the reference."""
    with reference(tmp_path) as path:
        yield path


def results(program: Path, folder: Path, words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the program with its results in a folder."""
    folder.mkdir()
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            [program, *_FLAGS, f"--results={folder / 'results'}", *words],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "NO_PROXY": "*"},
        )


def read(folder: Path) -> list[dict[str, Any]]:
    """Return what a program printed of its tests."""
    return [json.loads(line) for line in (folder / "results").read_text().splitlines()]


def test_the_table_names_every_test_of_upstream(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    assert results(program, folder, ["--ginkgo.dry-run"]).wait(120) == 0

    known = table()
    rows = [*known["passes"], *(one for row in known["out_of_reach"] for one in row["tests"])]

    assert sorted(rows) == sorted(short(row["test"]) for row in read(folder))
    assert all(row["reason"] for row in known["out_of_reach"])


def test_the_tests_of_upstream_pass(program: Path, kubeconfig: Path, tmp_path: Path) -> None:
    labelled = tmp_path / "all"
    assert results(program, labelled, ["--ginkgo.dry-run"]).wait(120) == 0
    wanted = set(table()["passes"])
    full = [row["test"] for row in read(labelled) if short(row["test"]) in wanted]

    shares = [tmp_path / f"share-{number}" for number in range(_SHARES)]
    running = [
        results(
            program,
            folder,
            [
                f"--kubeconfig={kubeconfig}",
                *(f"--ginkgo.focus={exactly(test)}" for test in full[number::_SHARES]),
            ],
        )
        for number, folder in enumerate(shares)
    ]
    for one in running:
        one.wait(1500)

    rows = [row for folder in shares for row in read(folder) if row["state"] != "skipped"]
    for row in sorted(rows, key=lambda row: row["test"]):
        print(f"{row['state']:8} {row['seconds']:6.1f} s  {short(row['test'])}")
    failures = {short(row["test"]): row.get("failure") for row in rows if row["state"] != "passed"}
    assert failures == {}
    assert {short(row["test"]) for row in rows} == wanted
