"""The suite on real clusters, real drivers certified there, and the agreement with them.

The lane takes some ten minutes; the cluster that waits for the 600 s default runs when the
variable ``DRA_UPSTREAM_LONG`` is set, since it takes as long again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance import data
from conformance.cli.main import main
from conformance.evidence.journal import Journal
from conformance.evidence.record import CheckRecord
from conformance.evidence.verdict import Outcome
from conformance.upstream import build
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import agreement, clusters, driver, pages, running
from conformance.upstream.plan import Plan

COMMITTED = data.fixtures().parent / "reports" / "1.37" / "upstream"

#: Requirements whose checks wait longer than CI does, and where they are decided.
WAITS = {
    "DRA-BND-03a": "ten-minutes",
    "DRA-BND-11": "ten-minutes",
    "DRA-MET-20a": "hours",
    "DRA-PST-11": "hours",
}


def lanes() -> tuple[str, ...]:
    names = [one.name for one in clusters.REGULAR]
    return (*names, "ten-minutes") if os.environ.get("DRA_UPSTREAM_LONG") else tuple(names)


def unreachable(one: CheckRecord) -> bool:
    """Tell whether a check is one of those that no cluster of the lane can decide."""
    name = one.check.partition("[")[0]
    named = any(f"/{part}" in f"{name}::" for part in clusters.UNREACHABLE)
    return named and one.outcome is Outcome.UNSUPPORTED


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    """Return the merged journal of the lane."""
    out = tmp_path_factory.mktemp("lane")
    chosen = [word for name in lanes() for word in ("--lane", name)]
    code = main(["upstream", "judge", *chosen, "--out", str(out)])
    assert code == 0, (out / "report.md").read_text()
    return running.read(out / "journal.jsonl")


@pytest.mark.upstream
@pytest.mark.timeout(2700)
@pytest.mark.usefixtures("kubelet")
class TestSuite:
    """What the suite says of real clusters."""

    def test_nothing_failed_and_nothing_broke(self, judged: Journal) -> None:
        wrong = {Outcome.FAILED, Outcome.ERRORED}

        found = [(one.check, one.message) for one in judged.checks if one.outcome in wrong]

        assert found == []

    def test_every_check_was_decided_or_waits_longer_than_ci(self, judged: Journal) -> None:
        undecided = [one for one in judged.checks if one.outcome is not Outcome.PASSED]

        unexplained = [
            one.check
            for one in undecided
            if not WAITS.keys() & {*one.requirements} and not unreachable(one)
        ]

        assert unexplained == []

    def test_the_reference_agrees_as_it_did(self, judged: Journal, tmp_path: Path) -> None:
        found = agreement.compare(bundled(tmp_path), judged)

        print(found.sentence)
        assert [row for row in found.rows if row.agrees is False] == []


@contextmanager
def example_driver(cluster: Cluster, profile: str) -> Iterator[None]:
    """Run dra-example-driver beside the cluster's kubelet, as its profile says."""
    node = cluster.nodes[clusters.NODE].layout
    command = [
        str(build.binary("dra-example-kubeletplugin")),
        f"--kubeconfig={cluster.kubeconfig}",
        f"--node-name={node.name}",
        f"--cdi-root={node.cdi}",
        f"--kubelet-plugins-directory-path={node.plugins}",
        f"--kubelet-registrar-directory-path={node.registrar}",
        f"--device-profile={profile}",
    ]
    with cluster.place.log(f"driver-{profile}").open("wb") as log:
        child = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            driver.await_slices(cluster, child, f"{profile}.example.com")
            yield
        finally:
            child.terminate()
            child.wait(30)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Run a cluster with the defaults, for drivers."""
    with (
        tempfile.TemporaryDirectory(prefix="dc") as folder,
        Cluster(Path(folder), Plan(kubelet_nodes=1)) as made,
    ):
        yield made


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("kubelet")
@pytest.mark.parametrize("profile", ["gpu", "cpu", "net"])
def test_the_example_driver_is_certified_live(
    cluster: Cluster, profile: str, tmp_path: Path
) -> None:
    name = f"{profile}.example.com"
    driver.create_class(cluster, name, name)
    node = cluster.nodes[clusters.NODE].layout

    with example_driver(cluster, profile):
        arguments = [
            *("certify", "--driver-name", name, "--device-class", name, "--out", str(tmp_path)),
            *("--kubeconfig", str(cluster.kubeconfig)),
            *("--node-root", node.reached),
        ]
        done = subprocess.run(
            [sys.executable, "-m", "conformance", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stdout + done.stderr


def bundled(folder: Path) -> Journal:
    """Judge the bundled reference, and return its journal."""
    path = folder / "bundled.jsonl"
    command = [sys.executable, "-m", "pytest", "--pyargs", "conformance.suite", "-c", os.devnull]
    command += ["-p", "no:cacheprovider", "-q", "-n", "2", f"--dra-journal={path}"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return running.read(path)


@pytest.mark.acceptance
@pytest.mark.timeout(600)
def test_agreement_has_not_fallen_below_what_is_committed(tmp_path: Path) -> None:
    """The committed journal of real clusters against the reference as it is now."""
    before = pages.from_json((COMMITTED / "agreement.json").read_text())
    upstream = running.read(COMMITTED / "journal.jsonl")

    found = agreement.compare(bundled(tmp_path), upstream)

    assert not found.falls_below(before), found.sentence
