"""Whatever a version can say survives the way to the stored form and back."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.dra.versions import hub
from conformance.kube.objects import Object
from conformance.tests.dra.versions import shapes

_KINDS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
_PAIRS = [(version, kind) for version in ("v1beta1", "v1beta2") for kind in _KINDS]
_PAIRS += [(version, "DeviceTaintRule") for version in ("v1beta2", "v1alpha3")]

#: Fields that conversions written by hand lost, and where v1beta1 has them.
_LOST = (
    "bindsToNode",
    "bindingConditions",
    "bindingFailureConditions",
    "allowMultipleAllocations",
)


def _hub_and_back(obj: Object) -> Object:
    return hub.from_hub(hub.to_hub(obj), obj["apiVersion"])


def _version_and_back(obj: Object, version: str) -> Object:
    return hub.to_hub(hub.from_hub(obj, f"{shapes.GROUP}/{version}"))


@pytest.mark.parametrize(("version", "kind"), _PAIRS)
def test_an_object_with_every_field_loses_none(version: str, kind: str) -> None:
    old, new = shapes.full(version, kind), shapes.full("v1", kind)
    kept = copy.deepcopy((old, new))

    assert _hub_and_back(old) == old
    assert _version_and_back(new, version) == new
    assert (old, new) == kept


@pytest.mark.parametrize(("version", "kind"), _PAIRS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_object_of_v1_comes_back_as_it_was(
    data: st.DataObject, version: str, kind: str
) -> None:
    obj = data.draw(shapes.drawn("v1", kind))

    assert _version_and_back(obj, version) == obj


@pytest.mark.parametrize(("version", "kind"), _PAIRS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_object_of_an_old_version_comes_back_as_it_was(
    data: st.DataObject, version: str, kind: str
) -> None:
    obj = data.draw(shapes.drawn(version, kind))

    assert _written(_hub_and_back(obj)) == _written(obj)


def test_the_fields_that_were_lost_upstream_stand_where_v1beta1_has_them() -> None:
    slice_ = hub.from_hub(shapes.full("v1", "ResourceSlice"), "resource.k8s.io/v1beta1")
    claim = hub.from_hub(shapes.full("v1", "ResourceClaim"), "resource.k8s.io/v1beta1")

    device = slice_["spec"]["devices"][0]
    assert set(device) == {"name", "basic"}
    assert set(_LOST) <= set(device["basic"])
    request = claim["spec"]["devices"]["requests"][0]
    assert request["capacity"] == {"requests": {"key": "text"}}
    assert "exactly" not in request


@pytest.mark.parametrize(
    ("request_", "stored"),
    [
        pytest.param({"deviceClassName": ""}, {}, id="a class that is empty"),
        pytest.param(
            {"count": 2},
            {"exactly": {"deviceClassName": "", "allocationMode": "", "count": 2}},
            id="no class, and so no default",
        ),
        pytest.param(
            {"deviceClassName": "", "firstAvailable": [{"name": "a"}]},
            {"firstAvailable": [{"name": "a"}]},
            id="alternatives",
        ),
        pytest.param(
            {"adminAccess": False},
            {"exactly": {"deviceClassName": "", "allocationMode": "", "adminAccess": False}},
            id="a flag that is not set",
        ),
    ],
)
def test_a_flat_request_is_exact_as_soon_as_it_asks_for_anything(
    request_: Object, stored: Object
) -> None:
    spec = {"devices": {"requests": [{"name": "r", **request_}]}}
    claim = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim", "spec": spec}

    converted = hub.to_hub(claim)

    assert converted["spec"]["devices"]["requests"] == [{"name": "r", **stored}]


def test_objects_of_other_groups_and_of_the_hub_are_left_alone() -> None:
    for obj in ({"apiVersion": "v1", "kind": "Pod"}, shapes.full("v1", "DeviceClass")):
        assert hub.to_hub(obj) is obj
        assert hub.from_hub(obj, obj["apiVersion"]) is obj


def _written(obj: Object) -> Object:
    """Return an object with what Go writes of v1beta1 even when it is not set."""
    obj = copy.deepcopy(obj)
    spec: Object = obj.get("spec") or {}
    for place in (spec, spec.get("spec") or {}):
        devices = place.get("devices")
        for request in (devices.get("requests") or []) if isinstance(devices, dict) else []:
            if obj["apiVersion"].endswith("/v1beta1"):
                request.setdefault("deviceClassName", "")
        for device in devices if isinstance(devices, list) else []:
            if obj["apiVersion"].endswith("/v1beta1"):
                device.setdefault("basic", {})
    return obj
