"""The claims of a Pod before a node is looked for."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.scheduler.claims import (
    NotReady,
    Unfit,
    check_classes,
    devices_in_use,
    group_of,
    holders,
    reachable,
    resolve_claims,
)

POD: dict[str, Any] = {
    "metadata": {"name": "p", "namespace": "ns", "uid": "u"},
    "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}]},
    "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "p-gpu-x"}]},
}


def claim(owner: str = "u", **metadata: Any) -> dict[str, Any]:
    owners = [{"kind": "Pod", "name": "p", "uid": owner, "controller": True}]
    return {
        "metadata": {
            "name": "p-gpu-x",
            "namespace": "ns",
            "uid": "c",
            "ownerReferences": owners,
            **metadata,
        },
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "k"}}]}},
    }


def result(device: str, **fields: Any) -> dict[str, Any]:
    return {"driver": "d", "pool": "p", "device": device, **fields}


def test_a_pods_own_claim_is_found() -> None:
    own = claim()

    assert resolve_claims(POD, lambda _, name: own if name == "p-gpu-x" else None) == [own]


@pytest.mark.parametrize(
    ("pod", "found", "message"),
    [
        pytest.param({**POD, "status": {}}, None, "not created yet", id="not-generated"),
        pytest.param(POD, None, 'resourceclaim "p-gpu-x" not found', id="missing"),
        pytest.param(
            POD, claim(deletionTimestamp="2026-01-01T00:00:00Z"), "is being deleted", id="deleted"
        ),
        pytest.param(POD, claim(owner="other"), "was not created for Pod", id="of-another-pod"),
    ],
)
def test_a_pod_waits_while_its_claim(
    pod: dict[str, Any], found: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(Unfit, match=message):
        resolve_claims(pod, lambda _namespace, _name: found)


def test_a_claim_that_is_not_needed_is_passed_over() -> None:
    pod = {**POD, "status": {"resourceClaimStatuses": [{"name": "gpu"}]}}

    assert resolve_claims(pod, lambda _namespace, _name: None) == []


def test_a_claim_that_two_entries_name_is_resolved_once() -> None:
    both = [{"name": name, "resourceClaimName": "p-gpu-x"} for name in ("one", "two")]
    pod = {**POD, "spec": {"resourceClaims": both}}
    own = claim()

    assert resolve_claims(pod, lambda _namespace, _name: own) == [own]


GROUP: dict[str, Any] = {
    "metadata": {"name": "g", "namespace": "ns", "uid": "group"},
    "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}]},
}


def test_a_shared_claim_is_held_by_the_group() -> None:
    pod = {**POD, "spec": {**POD["spec"], "schedulingGroup": {"podGroupName": "g"}}}
    other = {**GROUP, "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimName": "c"}]}}

    assert holders(pod, GROUP, [claim()])["c"]["uid"] == "group"
    assert holders(pod, other, [claim()]) == {}
    assert holders(pod, None, [claim()]) == {}


def test_a_pod_waits_for_its_group() -> None:
    pod = {**POD, "spec": {**POD["spec"], "schedulingGroup": {"podGroupName": "g"}}}

    with pytest.raises(NotReady, match="PodGroup ns/g not found"):
        group_of(pod, lambda _namespace, _name: None)
    assert group_of(pod, lambda _namespace, _name: GROUP) is GROUP
    assert group_of(POD, lambda _namespace, _name: None) is None


def test_a_missing_class_keeps_the_pod_waiting() -> None:
    with pytest.raises(Unfit, match="request r: device class k does not exist"):
        check_classes(claim(), {})
    check_classes(claim(), {"k": {}})


def test_devices_are_taken_by_claims_and_by_allocations_in_flight() -> None:
    allocated = {
        "status": {
            "allocation": {"devices": {"results": [result("a"), result("b", adminAccess=True)]}}
        }
    }
    in_flight = {"devices": {"results": [result("c")]}}

    found = devices_in_use([allocated], [in_flight])
    assert found.devices == {("d", "p", "a"), ("d", "p", "c")}
    assert not found.consumed


def test_an_allocated_claim_restricts_the_nodes() -> None:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}
    allocated = {"status": {"allocation": {"nodeSelector": {"nodeSelectorTerms": [term]}}}}

    assert reachable(allocated, {"metadata": {"name": "node-1"}})
    assert not reachable(allocated, {"metadata": {"name": "node-2"}})
    assert reachable({"status": {"allocation": {}}}, {"metadata": {"name": "node-2"}})
