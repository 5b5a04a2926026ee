"""From template to claim: names, owner, annotation, and nothing made twice."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.controllers.templates import (
    claim_from_template,
    generate_name,
    generated_for,
)

POD: dict[str, Any] = {
    "metadata": {"name": "trainer", "namespace": "team", "uid": "pod-uid"},
    "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}]},
}
ENTRY = POD["spec"]["resourceClaims"][0]
TEMPLATE: dict[str, Any] = {
    "metadata": {"name": "one-gpu", "namespace": "team"},
    "spec": {
        "metadata": {"labels": {"team": "a"}, "annotations": {"note": "kept"}},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}},
    },
}


def test_claim_belongs_to_the_pod_and_copies_the_template() -> None:
    claim = claim_from_template(POD, ENTRY, TEMPLATE)

    metadata = claim["metadata"]
    assert metadata["generateName"] == "trainer-gpu-"
    assert metadata["namespace"] == "team"
    assert metadata["labels"] == {"team": "a"}
    assert metadata["annotations"] == {
        "note": "kept",
        "resource.kubernetes.io/pod-claim-name": "gpu",
    }
    assert metadata["ownerReferences"] == [
        {"apiVersion": "v1", "kind": "Pod", "name": "trainer", "uid": "pod-uid", "controller": True}
    ]
    assert claim["spec"] == TEMPLATE["spec"]["spec"]
    assert claim["spec"] is not TEMPLATE["spec"]["spec"]


@pytest.mark.parametrize(
    ("pod", "claim", "expected"),
    [
        pytest.param("p", "c", "p-c-", id="short"),
        pytest.param("p" * 63, "c" * 63, "p" * 28 + "-" + "c" * 28, id="both-shortened-alike"),
        pytest.param("p" * 63, "gpu", "p" * 52 + "-" + "gp", id="long-pod-name"),
    ],
)
def test_generated_names_are_shortened_in_proportion(pod: str, claim: str, expected: str) -> None:
    name = generate_name(pod, claim)

    assert name == expected
    assert len(name) <= 58


def test_an_orphan_of_an_interrupted_run_is_found() -> None:
    claim = claim_from_template(POD, ENTRY, TEMPLATE)
    claim["metadata"]["name"] = "trainer-gpu-x"
    another = {**claim, "metadata": {**claim["metadata"], "ownerReferences": []}}

    assert generated_for(POD, ENTRY, [another, claim]) is claim
    assert generated_for(POD, {"name": "nic"}, [claim]) is None
