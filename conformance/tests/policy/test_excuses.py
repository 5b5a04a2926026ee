"""Findings can be excused with a reason, and only so."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from conformance.catalogue.model import Position, Waiver
from conformance.policy import evaluate, excuses
from conformance.policy.manifests.documents import read_text
from conformance.policy.model import Judgement
from conformance.policy.world import World
from conformance.tests.policy.building import PODS, policies

TODAY = dt.date(2026, 6, 1)


def judged(folder: Path, annotation: str, pod: str = "bare") -> Judgement:
    line = f"  name: {pod}\n"
    objects = PODS.replace(
        line, f"{line}  annotations:\n    dra-conformance/ignore: '{annotation}'\n"
    )
    world = World.of_manifests(read_text(objects, "pods.yaml").manifests)
    known = policies(folder)
    return excuses.by_annotation(evaluate.judge(known, world), world, known)


@pytest.mark.parametrize("name", ["DRA-ADM-01", "pods-have-labels"])
def test_an_annotation_excuses_with_a_reason(tmp_path: Path, name: str) -> None:
    judgement = judged(tmp_path, f"{name}: they come: later")

    (excused,) = judgement.excused
    assert judgement.findings == ()
    assert excused.reason == "they come: later"
    assert excused.by == "annotation"


def test_an_excuse_without_a_reason_excuses_nothing(tmp_path: Path) -> None:
    judgement = judged(tmp_path, "DRA-ADM-01")

    assert [one.policy for one in judgement.findings] == ["pods-have-labels", "excuse"]
    assert judgement.excused == ()
    assert "An excuse needs a reason" in judgement.findings[1].message
    assert str(judgement.findings[1].place) == "pods.yaml:6:5"


def test_an_excuse_of_nothing_is_found(tmp_path: Path) -> None:
    judgement = judged(tmp_path, "DRA-ADM-01: not needed", pod="labelled")

    assert "There is nothing to excuse here" in judgement.findings[1].message


def test_an_excuse_of_an_unknown_name_is_found(tmp_path: Path) -> None:
    judgement = judged(tmp_path, "DRA-XYZ-01: because")

    assert "No policy is called 'DRA-XYZ-01'" in judgement.findings[1].message


def test_an_excuse_of_a_misspelled_name_hints_at_the_right_one(tmp_path: Path) -> None:
    judgement = judged(tmp_path, "DRA-ADM-1: because")

    assert "did you mean 'DRA-ADM-01'?" in judgement.findings[1].message


@pytest.mark.parametrize(("until", "left"), [(TODAY, 0), (TODAY - dt.timedelta(days=1), 1)])
def test_a_waiver_excuses_until_its_day(tmp_path: Path, until: dt.date, left: int) -> None:
    known = policies(tmp_path)
    world = World.of_manifests(read_text(PODS, "pods.yaml").manifests)
    waiver = Waiver(
        id="DRA-ADM-01",
        reason="Known.",
        until=until,
        link="https://example.com/1",
        position=Position(file="waivers.yaml", line=2, column=3),
    )

    judgement = excuses.by_waiver(evaluate.judge(known, world), {waiver.id: waiver}, TODAY)

    assert len(judgement.findings) == left
    assert [one.by for one in judgement.excused] == ["waivers.yaml:2:3"] * (1 - left)
