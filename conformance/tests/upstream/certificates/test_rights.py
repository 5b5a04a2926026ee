"""A driver on client-go is judged by the rights that its published manifests give it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import data
from conformance.evidence.verdict import Outcome
from conformance.upstream.certificates import hermetic
from conformance.upstream.lane import running

PUBLISHED = data.fixtures() / "published" / "dra-example-driver" / "chart.yaml"


def published() -> list[Any]:
    return [one for one in yaml.safe_load_all(PUBLISHED.read_text("utf-8")) if one]


def outcome(folder: Path, documents: list[Any], requirement: str) -> Outcome:
    """Return what a requirement comes to for a driver that is installed like this."""
    path, out = folder / "manifests.yaml", folder / "out"
    path.write_text(yaml.safe_dump_all(documents), "utf-8")
    command = hermetic.words(hermetic.HOME / "gpu", "--out", str(out))

    hermetic.run([*command, "--only", requirement, "--manifests", str(path)])

    (record,) = (one for one in running.read(out / "journal.jsonl").checks
                 if one.requirements == (requirement,))  # fmt: skip
    return record.outcome


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("verbs", "expected"),
    [
        pytest.param(["get", "list", "watch"], Outcome.PASSED, id="as published"),
        pytest.param(["list", "watch"], Outcome.FAILED, id="without get"),
    ],
)
def test_a_right_that_is_missing_is_found(
    tmp_path: Path, verbs: list[str], expected: Outcome
) -> None:
    documents = published()
    (role,) = (one for one in documents if one["kind"] == "ClusterRole")
    (rule,) = (one for one in role["rules"] if one["resources"] == ["resourceclaims"])
    rule["verbs"] = verbs

    assert outcome(tmp_path, documents, "DRA-DRT-01") is expected


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        pytest.param(["v1beta1", "v1beta2", "v1"], Outcome.PASSED, id="as published"),
        pytest.param(["v1beta1"], Outcome.FAILED, id="not served"),
    ],
)
def test_a_policy_that_lets_everything_pass_is_found(
    tmp_path: Path, versions: list[str], expected: Outcome
) -> None:
    documents = published()
    (policy,) = (one for one in documents if one["kind"] == "ValidatingAdmissionPolicy")
    (rule,) = policy["spec"]["matchConstraints"]["resourceRules"]
    rule["apiVersions"] = versions

    assert outcome(tmp_path, documents, "DRA-DRT-03") is expected
