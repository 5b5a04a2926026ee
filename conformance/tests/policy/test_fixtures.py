"""Every policy passes where it should and fails where it should, on its own fixtures."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from conformance import data
from conformance.catalogue import loading as catalogue
from conformance.policy import evaluate, loading
from conformance.policy.manifests import files
from conformance.policy.model import Judgement, Policy
from conformance.policy.world import World

ROOT = data.fixtures("policies")


@functools.cache
def policies() -> dict[str, Policy]:
    return {one.id: one for one in loading.load(catalogue.load())}


def cases(word: str) -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.yaml") if path.name.split(".")[-2] == word)


def policy_of(path: Path) -> Policy:
    return policies()[path.name.split(".")[0]]


def judged(path: Path) -> Judgement:
    reading = files.read([str(path)])
    assert not reading.troubles
    return evaluate.judge([policy_of(path)], World.of_manifests(reading.manifests))


def named(path: Path) -> str:
    return path.name


def test_each_policy_has_a_fixture_that_passes_and_one_that_fails() -> None:
    wanted = {(one.area, one.id) for one in policies().values()}

    for word in ("pass", "fail"):
        assert {(path.parent.name, path.name.split(".")[0]) for path in cases(word)} == wanted


def test_each_fixture_says_what_it_expects() -> None:
    assert set(cases("pass")) | set(cases("fail")) == set(ROOT.rglob("*.*"))


@pytest.mark.parametrize("path", cases("pass"), ids=named)
def test_policy_applies_and_finds_nothing(path: Path) -> None:
    judgement = judged(path)

    assert judgement.troubles == ()
    assert judgement.findings == ()
    assert judgement.applied[policy_of(path).id] > 0


@pytest.mark.parametrize("path", cases("fail"), ids=named)
def test_policy_finds_something_and_says_where(path: Path) -> None:
    judgement = judged(path)

    assert judgement.troubles == ()
    assert judgement.findings
    for finding in judgement.findings:
        assert finding.policy == policy_of(path).id
        assert finding.place.line > 0
