"""The table of the lane is sound, and a run is asked as a user would ask it."""

from __future__ import annotations

import fnmatch
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

from conformance.catalogue import loading
from conformance.dra.features import GATES, VERSIONS, Features
from conformance.harness.process import command
from conformance.harness.target import CAPABILITIES
from conformance.plugin import decisions
from conformance.upstream import errors, layout, leftovers
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import asking, clusters, driver
from conformance.upstream.node.kubelet import Binaries, Node


def test_every_glob_of_the_table_names_a_requirement() -> None:
    known = loading.load().requirements
    runs = [run for one in clusters.WITNESSES for run in one.runs]
    globs = [glob for run in runs for glob in (*run.only, *run.skip)]

    assert [glob for glob in globs if not fnmatch.filter(known, glob)] == []


def test_scratch_folders_are_short_enough_for_the_sockets_below_them() -> None:
    with leftovers.scratch() as folder:
        assert len(f"/tmp/{folder.name}/c") + len("/dcabcdefgh") <= layout.LONGEST


def test_a_scratch_folder_is_swept_once_its_owner_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    abandoned = tmp_path / "dra-lane-abandoned"
    (abandoned / "c" / "etcd").mkdir(parents=True)
    (abandoned / "owner.pid").write_text("999999999 5\n")
    (tmp_path / "dra-lane-nameless").mkdir()
    (tmp_path / "another").mkdir()

    with leftovers.scratch() as ours:
        swept = leftovers.sweep()

        assert swept == [abandoned]
        left = sorted(path.name for path in tmp_path.iterdir())
        assert left == sorted(["another", "dra-lane-nameless", ours.name])


def test_without_a_name_the_lane_is_what_does_not_wait_long() -> None:
    assert clusters.named(()) == clusters.REGULAR
    assert not any(one.long for one in clusters.REGULAR)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(errors.UnusableError, match="no cluster 'beta' in the lane: alpha"):
        clusters.named(("beta",))


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    made = Cluster(tmp_path / "state")
    nothing = Path("/nowhere")
    binaries = Binaries(kubernetes=nothing, containerd=nothing, ctr=nothing)
    made.nodes[clusters.NODE] = Node(made.place, clusters.NODE, 1, binaries)
    return made


def options(cluster: Cluster, witness: clusters.Witness, run: clusters.Run) -> list[str]:
    return asking.arguments(cluster, witness, run, Path("/out/journal.jsonl"))


def test_a_run_reaches_the_kubelet_of_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    witness = next(one for one in clusters.WITNESSES if one.name == "defaults")

    found = options(cluster, witness, witness.runs[0])

    node = tmp_path / "state" / "n" / "1"
    assert f"--dra-node-root=kubelet-1={node}/k:{node}/cdi" in found
    assert "--dra-binding-timeout=60s" in found
    assert f"--dra-driver-name={clusters.DRIVER}" in found


def test_a_configured_driver_is_a_command_that_the_suite_understands(cluster: Cluster) -> None:
    witness = next(one for one in clusters.WITNESSES if one.name == "alpha")

    found = options(cluster, witness, witness.runs[0])

    (flag,) = [one for one in found if one.startswith("--dra-driver-command=")]
    command.check(flag.partition("=")[2].replace("{configuration}", "/file"))
    assert "--dra-driver-feature=metadata" in found


def test_only_a_run_that_restarts_kubelets_says_how(cluster: Cluster) -> None:
    witness = next(one for one in clusters.WITNESSES if one.name == "alpha")

    plain, restarting = [options(cluster, witness, run) for run in witness.runs]

    assert not [one for one in plain if one.startswith("--dra-restart-kubelet")]
    (flag,) = [one for one in restarting if one.startswith("--dra-restart-kubelet")]
    assert flag.endswith(f"upstream restart-kubelet --state {cluster.place.state} {{node}}")


def test_a_bare_cluster_has_no_driver(tmp_path: Path) -> None:
    witness = next(one for one in clusters.WITNESSES if one.name == "ten-minutes")

    found = options(Cluster(tmp_path / "state"), witness, witness.runs[0])

    assert not [one for one in found if "driver" in one or "node-root" in one]


def test_the_command_of_the_driver_has_every_placeholder() -> None:
    words = driver.configured().split()

    assert "--configuration={configuration}" in words
    assert "--node-name={node_name}" in words


class Demands:
    """Keeps what each check of a collection demands, by its name."""

    def __init__(self) -> None:
        self.found: dict[str, decisions.Demand] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Keep the demands of the checks."""
        demands = {item.nodeid: decisions.demand(item) for item in session.items}
        self.found = {name: one for name, one in demands.items() if one.requirements}


@attrs.frozen(kw_only=True)
class Gated:
    """What decides about gates of a cluster that is not there."""

    version: str
    gates: dict[str, bool]
    capabilities: frozenset[str] = frozenset(CAPABILITIES)


def gated(witness: clusters.Witness) -> Gated:
    plan = witness.plan
    features = Features(gates=plan.feature_gates())
    every = {*features.gates, *GATES}
    return Gated(version=VERSIONS[-1], gates={gate: features.enabled(gate) for gate in every})


def is_asked(run: clusters.Run, ids: Iterable[str]) -> bool:
    def matches(globs: Iterable[str], one: str) -> bool:
        return any(fnmatch.fnmatchcase(one, glob) for glob in globs)

    return any(
        (not run.only or matches(run.only, one)) and not matches(run.skip, one) for one in ids
    )


def test_each_check_is_asked_of_a_cluster_with_the_gates_that_it_needs() -> None:
    kept = Demands()
    quiet = ("-q", "--collect-only", "-p", "no:randomly", "-p", "no:xdist", "-W", "ignore")
    suite = ("--pyargs", "conformance.suite", "-c", os.devnull, "--rootdir=/")
    assert pytest.main([*suite, *quiet, "-p", "no:cacheprovider"], plugins=[kept]) == 0
    law = loading.load()
    known = [(gated(witness), run) for witness in clusters.WITNESSES for run in witness.runs]

    def decides(target: Gated, wanted: decisions.Demand) -> bool:
        fits = all(target.gates[gate] is on for gate, on in wanted.variant.gates)
        return fits and decisions.support(attrs.evolve(wanted, needs=()), law, target) is None

    undecided = [
        name
        for name, wanted in kept.found.items()
        if not any(
            is_asked(run, wanted.requirements) and decides(target, wanted) for target, run in known
        )
        and not any(fnmatch.fnmatch(name, f"*{end}*") for end in clusters.UNREACHABLE)
    ]

    assert len(kept.found) > 1000
    assert undecided == []
