"""The catalogue's table of feature gates against what real components say of themselves."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from conformance.catalogue import loading
from conformance.catalogue.model import Catalogue
from conformance.upstream import build
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import gates
from conformance.upstream.plan import GATES_OFF_BY_DEFAULT, Plan

METRICS = """\
# HELP kubernetes_feature_enabled [BETA] ...
kubernetes_feature_enabled{name="A",stage="ALPHA"} 0
kubernetes_feature_enabled{name="B",stage="BETA"} 1
kubernetes_feature_enabled{name="G",stage=""} 1
kubernetes_feature_enabled{name="old",stage="DEPRECATED"} 0
"""

#: Components beside the API server, as a cluster with one kubelet has them.
OTHERS = {"kube-controller-manager", "kube-scheduler", "kubelet-1"}

#: Minors that a 1.37 API server can emulate.
EARLIER = ("1.34", "1.35", "1.36")

#: The programs that have a table of gates.
PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet")


def documented(law: Catalogue, version: str) -> dict[str, gates.Gate]:
    """Return the table of the catalogue, of the gates that exist in a version."""
    rows = [
        (gate, feature.stages[version])
        for feature in law.features.values()
        for gate in feature.gates
    ]
    return {
        gate: gates.Gate(row.stage.value, row.default)
        for gate, row in rows
        if row.stage.value != "absent"
    }


def of_this_matter(found: Mapping[str, gates.Gate], known: set[str]) -> dict[str, gates.Gate]:
    """Return the gates that the catalogue has, or should have by their name."""
    return {name: gate for name, gate in found.items() if name in known or name.startswith("DRA")}


def known(law: Catalogue) -> set[str]:
    return {gate for feature in law.features.values() for gate in feature.gates}


def test_metrics_are_read_with_stage_and_value() -> None:
    assert gates.parse(METRICS) == {
        "A": gates.Gate("alpha", False),
        "B": gates.Gate("beta", True),
        "G": gates.Gate("ga", True),
        "old": gates.Gate("deprecated", False),
    }


def test_the_plan_turns_on_every_gate_that_is_off_but_those_of_other_matters() -> None:
    table = documented(loading.load(), "1.37")

    off = {name for name, gate in table.items() if not gate.is_on}

    assert off - {*GATES_OFF_BY_DEFAULT} == {"CompositePodGroup", "PodGroupPreemptionPolicy"}


@pytest.fixture(scope="module")
def told() -> Iterator[Mapping[str, dict[str, gates.Gate]]]:
    """Give what every component of a default cluster says."""
    with (
        tempfile.TemporaryDirectory(prefix="dc") as folder,
        Cluster(Path(folder), Plan(bare_nodes=0, kubelet_nodes=1)) as cluster,
    ):
        yield gates.of(cluster)


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("kubelet")
@pytest.mark.parametrize("component", ["kube-apiserver", *sorted(OTHERS)])
def test_every_component_has_the_catalogues_stages_and_defaults(
    told: Mapping[str, dict[str, gates.Gate]], component: str
) -> None:
    law = loading.load()

    assert of_this_matter(told[component], known(law)) == documented(law, "1.37")


@pytest.mark.upstream
@pytest.mark.usefixtures("control_plane")
@pytest.mark.parametrize(
    ("program", "version"),
    [
        *((program, "1.37") for program in PROGRAMS),
        *(("kube-apiserver", version) for version in EARLIER),
    ],
)
def test_locked_gates_and_no_others_refuse_to_be_turned_off(program: str, version: str) -> None:
    law = loading.load()
    exists = documented(law, version)
    flags = ["--feature-gates=" + ",".join(f"{gate}=false" for gate in exists)]
    flags += [] if version == "1.37" else [f"--emulated-version={version}"]

    done = subprocess.run(
        [build.kubernetes(), program, *flags],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode != 0
    refused = {gate for gate in exists if f"cannot set feature gate {gate} " in done.stderr}
    assert refused == {
        gate
        for feature in law.features.values()
        for gate in feature.gates
        if feature.stages[version].locked
    }


@pytest.mark.upstream
@pytest.mark.timeout(120)
@pytest.mark.usefixtures("control_plane")
@pytest.mark.parametrize("version", EARLIER)
def test_earlier_minors_are_as_1_37_remembers_them(state: Path, version: str) -> None:
    """An API server that emulates an earlier minor has that minor's gates."""
    law = loading.load()
    flags = {"kube-apiserver": [f"--emulated-version={version}"]}

    with Cluster(state, Plan(bare_nodes=0, extra_args=flags)) as cluster:
        found = gates.parse(cluster.api.text("/metrics"))

    assert of_this_matter(found, known(law)) == documented(law, version)
