"""What happens to objects before they are validated."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest

from conformance.dra.features import Features
from conformance.dra.strategy import prepare_create, prepare_update
from conformance.kube.status import StatusError
from conformance.tests.dra.objects import (
    DRIVER,
    changed,
    claim,
    device,
    device_class,
    exactly,
    slice_,
)

_NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_ON = Features()


def _created(resource: str, obj: dict[str, Any], features: Features = _ON) -> dict[str, Any]:
    created = copy.deepcopy(obj)
    prepare_create(resource, created, features, _NOW)
    return created


def _updated(
    resource: str,
    new: dict[str, Any],
    old: dict[str, Any],
    subresource: str = "",
    features: Features = _ON,
) -> dict[str, Any]:
    written = copy.deepcopy(new)
    prepare_update(resource, written, old, features, _NOW, subresource)
    return written


def test_a_request_asks_for_one_device_by_default() -> None:
    obj = claim({"name": "a", "exactly": {"deviceClassName": "c"}})

    request = _created("resourceclaims", obj)["spec"]["devices"]["requests"][0]["exactly"]

    assert request == {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1}


def test_a_subrequest_that_asks_for_all_has_no_count() -> None:
    sub = {"name": "s", "deviceClassName": "c", "allocationMode": "All"}
    template = {
        "spec": {"spec": {"devices": {"requests": [{"name": "a", "firstAvailable": [sub]}]}}}
    }

    created = _created("resourceclaimtemplates", template)

    assert created["spec"]["spec"]["devices"]["requests"][0]["firstAvailable"] == [sub]


def test_creation_starts_without_status() -> None:
    obj = {**claim(), "status": {"reservedFor": [{"uid": "u"}]}}
    request = {"spec": {"driver": DRIVER}, "status": {"poolCount": 1}}

    assert _created("resourceclaims", obj)["status"] == {}
    created = _created("resourcepoolstatusrequests", request)
    assert "status" not in created
    assert created["spec"]["limit"] == 100


def test_a_taint_gets_the_time_when_it_was_added() -> None:
    taint = {"key": "k", "effect": "NoSchedule"}

    created = _created("resourceslices", slice_(devices=[device(taints=[taint])]))

    assert created["spec"]["devices"][0]["taints"][0]["timeAdded"] == "2026-01-02T03:04:05Z"


def test_quantities_are_respelled() -> None:
    policy = {
        "default": "1024Mi",
        "validValues": ["1024Mi"],
        "validRange": {"min": "1024Mi", "max": "2048Mi"},
    }
    one = device(
        capacity={"memory": {"value": "1024Mi", "requestPolicy": policy}},
        consumesCounters=[{"counterSet": "s", "counters": {"m": {"value": "1000m"}}}],
    )
    obj = claim(exactly(capacity={"requests": {"memory": "1024Mi"}}))

    created = _created("resourceslices", slice_(devices=[one]))["spec"]["devices"][0]
    asked = _created("resourceclaims", obj)["spec"]["devices"]["requests"][0]["exactly"]
    sets = [{"name": "s", "counters": {"m": {"value": "0.5"}}}]
    shared = _created("resourceslices", slice_(allNodes=True, sharedCounters=sets))

    assert created["capacity"]["memory"] == {
        "value": "1Gi",
        "requestPolicy": {
            "default": "1Gi",
            "validValues": ["1Gi"],
            "validRange": {"min": "1Gi", "max": "2Gi"},
        },
    }
    assert created["consumesCounters"][0]["counters"]["m"]["value"] == "1"
    assert asked["capacity"]["requests"]["memory"] == "1Gi"
    assert shared["spec"]["sharedCounters"][0]["counters"]["m"]["value"] == "500m"


def test_a_text_that_is_no_quantity_cannot_be_decoded() -> None:
    with pytest.raises(StatusError, match="unable to parse quantity") as caught:
        _created("resourceslices", slice_(devices=[device(capacity={"m": {"value": "much"}})]))
    assert caught.value.code == 400


@pytest.mark.parametrize(
    ("gate", "field"),
    [
        pytest.param("DRADeviceTaints", "taints", id="taints"),
        pytest.param("DRADeviceBindingConditions", "bindingConditions", id="binding conditions"),
        pytest.param("DRADeviceBindingConditions", "bindsToNode", id="binds to node"),
        pytest.param("DRAPartitionableDevices", "consumesCounters", id="counters"),
        pytest.param("DRAPartitionableDevices", "nodeName", id="node of a device"),
        pytest.param("DRAConsumableCapacity", "allowMultipleAllocations", id="sharing"),
        pytest.param("DRANodeAllocatableResources", "nodeAllocatableResources", id="allocatable"),
    ],
)
def test_device_fields_of_a_feature_that_is_off_are_dropped_unless_in_use(
    gate: str, field: str
) -> None:
    off = Features(gates={gate: False})
    value: Any = [{"key": "k", "effect": "None"}] if field == "taints" else ["x"]
    if field == "consumesCounters":
        value = [{"counterSet": "s", "counters": {"m": {"value": "1"}}}]
    using = slice_(devices=[device(**{field: value})])
    plain = slice_()

    assert field not in _created("resourceslices", using, off)["spec"]["devices"][0]
    written = _updated("resourceslices", using, plain, features=off)
    assert field not in written["spec"]["devices"][0]
    written = _updated("resourceslices", using, using, features=off)
    assert field in written["spec"]["devices"][0]


def test_alpha_fields_inside_attributes_capacity_and_counters_are_dropped() -> None:
    off = Features(gates={"DRAConsumableCapacity": False})
    one = device(
        attributes={"a": {"ints": [1]}},
        capacity={"m": {"value": "1", "requestPolicy": {"default": "1"}}},
        consumesCounters=[
            {"counterSet": "s", "counters": {"m": {"value": "1"}}, "compatibilityGroups": ["g"]}
        ],
    )
    obj = slice_(devices=[one], allNodes=True, partitionTypeAttribute="x.io/a")

    spec = _created("resourceslices", obj, off)["spec"]

    assert "partitionTypeAttribute" not in spec
    assert spec["devices"][0]["attributes"] == {"a": {}}
    assert spec["devices"][0]["capacity"] == {"m": {"value": "1"}}
    assert "compatibilityGroups" not in spec["devices"][0]["consumesCounters"][0]


def test_claim_fields_of_features_that_are_off_are_dropped() -> None:
    off = Features(
        version="1.34",
        gates={"DRAPrioritizedList": False, "DRAAdminAccess": False},
    )
    obj = claim(
        exactly(
            adminAccess=True,
            tolerations=[{"operator": "Exists"}],
            capacity={"requests": {"m": "1"}},
            derivedAttributes=[{"name": "a"}],
        ),
        {"name": "other", "firstAvailable": [{"name": "s"}]},
        constraints=[{"distinctAttribute": "x.io/a"}],
    )

    devices = _created("resourceclaims", obj, off)["spec"]["devices"]

    assert devices["requests"] == [exactly(), {"name": "other"}]
    assert devices["constraints"] == [{}]


def test_an_extended_resource_needs_its_feature() -> None:
    off = Features(version="1.35")
    obj = device_class(extendedResourceName="example.com/gpu")

    assert "extendedResourceName" not in _created("deviceclasses", obj, off)["spec"]
    assert "extendedResourceName" in _created("deviceclasses", obj)["spec"]


def test_the_generation_counts_changes_of_the_spec() -> None:
    stored = _created("resourceslices", slice_())
    relabelled = changed(stored, "metadata.labels", {"a": "b"})
    grown = changed(stored, "spec.pool.generation", 2)

    assert stored["metadata"]["generation"] == 1
    assert _updated("resourceslices", relabelled, stored)["metadata"]["generation"] == 1
    assert _updated("resourceslices", grown, stored)["metadata"]["generation"] == 2
    written = _updated("deviceclasses", device_class(config=[{}]), device_class())
    assert written["metadata"]["generation"] == 2


def test_a_write_of_the_object_keeps_the_status() -> None:
    stored = {**claim(), "status": {"allocation": {}}}

    assert _updated("resourceclaims", claim(), stored)["status"] == {"allocation": {}}
    assert "status" not in _updated("resourceslices", {**slice_(), "status": {}}, slice_())


def test_a_write_of_the_status_keeps_everything_else() -> None:
    stored = changed(claim(), "metadata.finalizers", ["f"])
    new = {**claim(exactly("other")), "status": {"allocation": {}}}
    new["metadata"]["labels"] = {"a": "b"}

    written = _updated("resourceclaims", new, stored, "status")

    assert written["spec"] == stored["spec"]
    assert written["metadata"]["finalizers"] == ["f"]
    assert "labels" not in written["metadata"]
    assert written["status"] == {"allocation": {"devices": {}}}


def _allocated(*names: str, **status: Any) -> dict[str, Any]:
    results = [{"driver": DRIVER, "pool": "p", "device": name} for name in names]
    return {**claim(), "status": {"allocation": {"devices": {"results": results}}, **status}}


def _said(*names: str) -> list[dict[str, Any]]:
    said = {"driver": DRIVER, "pool": "p", "conditions": None}
    return [{**said, "device": name} for name in names]


def test_what_is_said_of_a_device_goes_with_its_allocation() -> None:
    stored = _allocated("a", "b", devices=_said("a", "b"))
    smaller = _allocated("a", devices=_said("a", "b"))
    none = {**claim(), "status": {"devices": _said("a", "b")}}

    assert _updated("resourceclaims", smaller, stored, "status")["status"]["devices"] == _said("a")
    assert "devices" not in _updated("resourceclaims", none, stored, "status")["status"]


def test_what_is_said_of_a_device_that_was_never_allocated_stays_to_be_refused() -> None:
    written = _updated("resourceclaims", _allocated("a", devices=_said("z")), claim(), "status")

    assert written["status"]["devices"] == _said("z")


def test_status_fields_of_features_that_are_off_are_dropped() -> None:
    off = Features(
        version="1.34", gates={"DRAResourceClaimDeviceStatus": False, "DRAAdminAccess": False}
    )
    new = _allocated("a", devices=_said("a"))
    new["status"]["allocation"]["devices"]["results"][0] |= {
        "adminAccess": True,
        "bindingConditions": ["c"],
        "bindingFailureConditions": ["f"],
        "shareID": "s",
        "skipNodeOperations": ["*"],
    }

    written = _updated("resourceclaims", new, claim(), "status", off)

    assert written["status"] == _allocated("a")["status"]


def test_kinds_without_generation_and_requests_without_limits_stay_as_they_are() -> None:
    stored = {"spec": {"driver": DRIVER, "limit": 5}}

    written = _updated("resourcepoolstatusrequests", stored, stored)
    said = _updated("resourcepoolstatusrequests", {**stored, "status": {}}, stored, "status")

    assert written == {"spec": {"driver": DRIVER, "limit": 5}}
    assert said["status"] == {}


def test_a_share_is_dropped_where_capacity_cannot_be_shared() -> None:
    off = Features(gates={"DRAConsumableCapacity": False, "DRAFractionalCapacityRange": False})
    said = [{**one, "shareID": "s"} for one in _said("a")]
    stored = _allocated("a")

    written = _updated("resourceclaims", _allocated("a", devices=said), stored, "status", off)

    assert written["status"]["devices"] == _said("a")


def test_an_edited_template_is_prepared_like_a_new_one() -> None:
    spec = claim({"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "All"}})
    template = {"spec": {"metadata": {}, "spec": spec["spec"]}}

    assert _updated("resourceclaimtemplates", template, template)["spec"] == template["spec"]
