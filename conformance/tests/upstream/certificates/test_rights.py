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


def manifests(folder: Path, verbs: list[str]) -> Path:
    """Return the published manifests with these verbs on claims."""
    documents: list[Any] = [one for one in yaml.safe_load_all(PUBLISHED.read_text("utf-8")) if one]
    (role,) = (one for one in documents if one["kind"] == "ClusterRole")
    (rule,) = (one for one in role["rules"] if one["resources"] == ["resourceclaims"])
    rule["verbs"] = verbs
    path = folder / "manifests.yaml"
    path.write_text(yaml.safe_dump_all(documents), "utf-8")
    return path


@pytest.mark.upstream
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("verbs", "outcome"),
    [
        pytest.param(["get", "list", "watch"], Outcome.PASSED, id="as published"),
        pytest.param(["list", "watch"], Outcome.FAILED, id="without get"),
    ],
)
def test_a_right_that_is_missing_is_found(
    tmp_path: Path, verbs: list[str], outcome: Outcome
) -> None:
    out = tmp_path / "out"
    command = hermetic.words(hermetic.HOME / "gpu", "--out", str(out))
    granted = manifests(tmp_path, verbs)

    hermetic.run([*command, "--only", "DRA-DRT-01", "--manifests", str(granted)])

    (record,) = (one for one in running.read(out / "journal.jsonl").checks
                 if one.requirements == ("DRA-DRT-01",))  # fmt: skip
    assert record.outcome is outcome, record.message
