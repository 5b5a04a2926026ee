"""Questions to the law: selection, families, stages, nearest names."""

from __future__ import annotations

import datetime as dt

import pytest

from conformance.catalogue import loading
from conformance.catalogue.errors import UnknownId, UnknownName
from conformance.catalogue.model import Position, Waiver, minor_of

LAW = loading.load()


def ids(*, profiles: list[str] | None = None, only: list[str] | None = None, skip: str = "") -> set:
    chosen = LAW.select(profiles or [], only or [], [skip] if skip else [])
    return {one.id for one in chosen}


def test_nothing_restricts_nothing() -> None:
    assert len(LAW.select()) == len(LAW.requirements)


def test_profiles_add_up() -> None:
    both = ids(profiles=["extended/ResourceHealthStatus", "driver/core"])

    assert both == ids(profiles=["extended/ResourceHealthStatus"]) | ids(profiles=["driver/core"])


def test_only_narrows_a_profile() -> None:
    assert ids(profiles=["observability"], only=["DRA-HLT-0?", "DRA-ADM-*"]) > {"DRA-HLT-07"}
    assert not ids(profiles=["driver/core"], only=["DRA-HLT-*"])


def test_skip_wins_over_only() -> None:
    assert ids(only=["DRA-BND-0[12]"], skip="DRA-BND-02") == {"DRA-BND-01"}


def test_a_family_selects_all_of_its_parts() -> None:
    assert ids(only=["DRA-BND-03"]) == {"DRA-BND-03a", "DRA-BND-03b"}


def test_except_takes_out_of_a_profile() -> None:
    assert "DRA-WF-12" not in ids(profiles=["core"])
    assert "DRA-WF-11" in ids(profiles=["core"])


def test_parts_of_a_family_and_one_id() -> None:
    assert [one.id for one in LAW.family("DRA-BND-03")] == ["DRA-BND-03a", "DRA-BND-03b"]
    assert [one.id for one in LAW.family("DRA-BND-03b")] == ["DRA-BND-03b"]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("DRA-POR-02", "DRA-POR-01"), ("XYZ", None), ("DRA-BND-033", "DRA-BND-03b")],
)
def test_unknown_id_suggests_the_nearest(wrong: str, nearest: str | None) -> None:
    with pytest.raises(UnknownId) as caught:
        LAW.requirement(wrong)

    assert caught.value.nearest == nearest
    assert repr(wrong) in str(caught.value)


def test_a_glob_that_matches_nothing_is_refused() -> None:
    with pytest.raises(UnknownId, match="'DRA-BMD-\\*'"):
        LAW.select(only=["DRA-BMD-*"])


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: LAW.select(["cor"]), "no profile is called 'cor'; did you mean 'core'?"),
        (lambda: LAW.wait("pod-runing"), "no wait .* did you mean 'pod-running'?"),
        (lambda: LAW.stage("DRAAdminAcces", "1.37"), "no feature .* 'DRAAdminAccess'?"),
        (lambda: LAW.gates("1.33"), "no Kubernetes version is called '1.33'; did you mean '1.3"),
        (lambda: LAW.gates("latest"), "no Kubernetes version is called 'latest'"),
        (lambda: LAW.gates("2.1"), "no Kubernetes version is called '2.1'"),
    ],
    ids=["profile", "wait", "feature", "older version", "no version", "other major"],
)
def test_unknown_name_suggests_the_nearest(ask: object, sentence: str) -> None:
    assert callable(ask)
    with pytest.raises(UnknownName, match=sentence):
        ask()


@pytest.mark.parametrize(
    ("version", "minor"),
    [("1.37", "1.37"), ("v1.37.2", "1.37"), ("v1.37.2-eks-1", "1.37"), ("1.37+", "1.37")],
)
def test_minor_of_a_version(version: str, minor: str) -> None:
    assert minor_of(version) == minor


def test_a_version_newer_than_the_law_is_taken_as_the_newest() -> None:
    assert LAW.gates("1.41") == LAW.gates("1.37")


def test_a_gate_that_does_not_exist_yet_has_no_default() -> None:
    assert "DRAResourcePoolStatus" not in LAW.gates("1.35")
    assert LAW.gates("1.36")["DRAResourcePoolStatus"] is False


def test_a_waiver_holds_through_its_last_day() -> None:
    last = dt.date(2026, 12, 31)
    where = Position(file="waivers.yaml", line=1, column=1)
    waiver = Waiver(id="DRA-BND-01", reason="known", until=last, link="x", position=where)

    assert waiver.holds(last)
    assert not waiver.holds(last + dt.timedelta(days=1))
