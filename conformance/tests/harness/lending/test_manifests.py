"""What is taken of a driver's manifests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import data
from conformance.harness.errors import TargetMisconfigured
from conformance.harness.lending import manifests

PUBLISHED = data.fixtures() / "published" / "dra-example-driver" / "chart.yaml"


def written(folder: Path, documents: list[Any]) -> Path:
    path = folder / "manifests.yaml"
    path.write_text(yaml.safe_dump_all(documents), "utf-8")
    return path


def test_who_a_driver_is_and_what_it_may_do_is_taken_and_nothing_else() -> None:
    found = manifests.read(PUBLISHED)

    assert {one["kind"] for one in found} == {
        "ServiceAccount", "ClusterRole", "ClusterRoleBinding",
        "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
    }  # fmt: skip
    namespace, name = manifests.account(found)
    assert (namespace, name) == ("dra-example-driver", "dra-example-driver-service-account")


def test_a_policy_with_parameters_is_refused_by_its_name(tmp_path: Path) -> None:
    documents = [one for one in yaml.safe_load_all(PUBLISHED.read_text("utf-8")) if one]
    (policy,) = (one for one in documents if one["kind"] == "ValidatingAdmissionPolicy")
    policy["spec"]["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}

    with pytest.raises(TargetMisconfigured) as refused:
        manifests.read(written(tmp_path, documents))

    assert f"the policy {policy['metadata']['name']} has parameters" in str(refused.value)


@pytest.mark.parametrize("kept", [[], ["one", "another"]])
def test_there_must_be_one_account(tmp_path: Path, kept: list[str]) -> None:
    head = {"apiVersion": "v1", "kind": "ServiceAccount"}

    with pytest.raises(TargetMisconfigured, match=", ".join(kept) or "none"):
        manifests.read(written(tmp_path, [{**head, "metadata": {"name": one}} for one in kept]))
