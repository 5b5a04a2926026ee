"""A malformed policy is refused with file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue import loading as catalogue
from conformance.catalogue.errors import CatalogueError
from conformance.policy import loading
from conformance.tests.policy.building import POLICY, policies


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("require:", "requires:", "small.yaml:7:3: unknown field 'requires'; did you mean"),
        ("has(object.metadata.labels)", "has(object.", "small.yaml:7:12: does not compile: "),
        ("has(object.metadata.labels)", "size([1])", "must be true or false, not int"),
        ("has(object.metadata.labels)", "unknown == 1", "undeclared reference to 'unknown'"),
        (
            "has(object.metadata.labels)",
            "facts.isDrivr",
            "no fact is called 'isDrivr'; did you mean 'isDriver'?",
        ),
        ("has(object.metadata.labels)", "facts['a'] == 1", "facts is read by name"),
        ("has(object.metadata.labels)", f"object.kind != '{'y' * 100}'", "at most 100 characters"),
        ("DRA-ADM-01", "DRA-ADM-99", "no requirement is called 'DRA-ADM-99'"),
        ("DRA-ADM-01", "ACME-GPU-01", "a requirement of your own needs a level"),
        ("{kinds: [Pod]}", "{kinds: [pod]}", "does not match"),
        ("{kinds: [Pod]}", "{kinds: [Pod], each: 'a b'}", "expected a path such as"),
        ("This Pod has no labels.", "This Pod has no labels", "does not match"),
        ("pods-have-labels", "PodsHaveLabels", "expected words in lower case with dashes"),
        ("area: small", "area: large", "the area of this file is 'small', not 'large'"),
    ],
)
def test_a_malformed_policy_is_refused(tmp_path: Path, old: str, new: str, expected: str) -> None:
    with pytest.raises(CatalogueError) as refused:
        policies(tmp_path, POLICY.replace(old, new, 1))

    assert "small.yaml:" in str(refused.value)
    assert expected in str(refused.value)


def test_a_vendor_may_cite_requirements_of_his_own(tmp_path: Path) -> None:
    text = POLICY.replace("DRA-ADM-01", "ACME-GPU-01").replace("match", "level: must\n  match")

    (policy,) = policies(tmp_path, text)

    assert policy.requirements == ("ACME-GPU-01",)


def test_an_id_stands_once(tmp_path: Path) -> None:
    second = POLICY.partition("policies:\n")[2]

    with pytest.raises(CatalogueError, match="'pods-have-labels' stands already at"):
        policies(tmp_path, POLICY + second)


@pytest.mark.parametrize("name", ["none", "empty"])
def test_a_folder_without_policies_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(CatalogueError, match=r"no folder of policies|holds no policies"):
        loading.load(catalogue.load(), [tmp_path / name])
