"""The certificate of Kubernetes' own test driver: what it says, and what it can't say."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import loading, waivers
from conformance.evidence.journal import Journal
from conformance.evidence.verdict import Outcome
from conformance.upstream.certificates import committed, hermetic, testdriver
from conformance.upstream.lane import running

HOME = Path(__file__).parents[4] / testdriver.HOME
LAW = loading.load()
METADATA = frozenset(one for one in LAW.requirements if one.startswith("DRA-MET-"))

#: As its flags mean it to be, with a /run of its own: nothing is left in that of the machine.
COMMAND = (
    "unshare --map-root-user --mount sh -c 'mount -t tmpfs none /run && "
    "exec dra-test-driver kubelet-plugin --kubeconfig {kubeconfig} --node-name {node_name} "
    "--datadir {plugins_dir} --plugin-registration-path {registrar_dir} --cdi-dir {cdi_dir}"
)


@pytest.fixture(name="found", scope="module")
def read() -> Journal:
    return running.read(HOME / "journal.jsonl")


def test_the_certificate_is_whole_and_free_of_failures(found: Journal) -> None:
    assert found.complete
    assert not [one.check for one in found.checks if one.outcome is Outcome.FAILED]


def test_every_waiver_is_needed(found: Journal) -> None:
    waived = {name for one in found.checks if one.outcome is Outcome.WAIVED
              for name in one.requirements}  # fmt: skip

    assert set(waivers.load(HOME / "waivers.yaml", LAW)) == waived


def test_a_real_cluster_says_the_same_or_there_is_a_reason(found: Journal) -> None:
    differing = committed.differing(found, running.read(HOME / "live.jsonl"))

    assert set(committed.reasons(HOME / "differences.yaml")) == set(differing)
    assert {theirs for _, theirs in differing.values()} == {"unsupported"}


def test_what_is_not_judged_of_metadata_has_a_reason_and_nothing_else_has(found: Journal) -> None:
    unjudged = METADATA - testdriver.judged(found, METADATA)

    assert set(testdriver.reasons(HOME / "unjudged.yaml")) == unjudged


def test_no_metadata_is_excused(found: Journal) -> None:
    waived = {name for one in found.checks if one.outcome is Outcome.WAIVED
              for name in one.requirements}  # fmt: skip

    assert not waived & METADATA


def test_no_path_of_a_machine_is_kept(found: Journal) -> None:
    assert found.header.command[0] == "dra-conformance"
    assert not [word for word in found.header.command if word.startswith("/")]


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("requirement", "more", "outcome"),
    [
        pytest.param("DRA-MET-26", "", Outcome.PASSED, id="metadata that nobody turned on"),
        pytest.param("DRA-CDI-02", "", Outcome.PASSED, id="CDI devices without metadata"),
        pytest.param(
            "DRA-CDI-02",
            " --enable-device-metadata",
            Outcome.FAILED,
            id="metadata that does not follow the flag for CDI specs",
        ),
    ],
)
def test_the_program_with_its_own_flags(
    tmp_path: Path, requirement: str, more: str, outcome: Outcome
) -> None:
    out = tmp_path / "out"
    driver = ("--driver-name", "test-driver.cdi.k8s.io", "--device-class", "example")
    how = ("--profile", "driver/all", "--driver-command", f"{COMMAND}{more}'")
    command = ["dra-conformance", "certify", *driver, *how]

    hermetic.run([*command, "--only", requirement, "--out", str(out)])

    outcomes = {one.outcome for one in running.read(out / "journal.jsonl").checks
                if one.requirements == (requirement,)}  # fmt: skip
    assert outcomes == {outcome}
