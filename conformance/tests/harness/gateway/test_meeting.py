"""What a request meets, and what becomes of its body."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.harness.gateway import meeting
from conformance.wire import kubernetes


def test_fields_of_a_slice_and_its_devices_are_dropped() -> None:
    devices = [{"name": "a", "taints": [1]}, {"name": "b"}]
    body = {"metadata": {}, "spec": {"driver": "d", "sharedCounters": [], "devices": devices}}

    found = meeting.without(json.dumps(body).encode(), frozenset({"taints", "sharedCounters"}))

    assert json.loads(found) == {
        "metadata": {},
        "spec": {"driver": "d", "devices": [{"name": "a"}, {"name": "b"}]},
    }


def test_what_is_no_slice_in_json_stays_as_it_is() -> None:
    for body in (b"", b"k8s\x00", b"k8s\x00\x0a\x7f", b"[1]", b'{"spec": 1}'):
        assert meeting.without(body, frozenset({"spec"})) == body
        assert meeting.driver_of(body) == ""
    assert meeting.driver_of(b'{"spec": {"driver": "d"}}') == "d"


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1beta2"])
def test_a_slice_in_protobuf_is_read_and_written_again(version: str) -> None:
    found: Any = kubernetes.new_message(f"k8s.io.api.resource.{version}.ResourceSlice")
    found.spec.driver = "d"
    found.spec.sharedCounters.add().name = "c"
    device = found.spec.devices.add()
    device.name = "a"
    held = device.basic if version == "v1beta1" else device
    held.bindsToNode = True
    held.allowMultipleAllocations = True
    envelope: Any = kubernetes.new_message("k8s.io.apimachinery.pkg.runtime.Unknown")
    envelope.typeMeta.apiVersion = f"resource.k8s.io/{version}"
    envelope.raw = found.SerializeToString()
    body = b"k8s\x00" + envelope.SerializeToString()

    written = meeting.without(body, frozenset({"bindsToNode", "sharedCounters", "surprise"}))

    assert meeting.driver_of(body) == meeting.driver_of(written) == "d"
    envelope.ParseFromString(written[4:])
    found.ParseFromString(envelope.raw)
    assert envelope.typeMeta.apiVersion == f"resource.k8s.io/{version}"
    (device,) = found.spec.devices
    held = device.basic if version == "v1beta1" else device
    assert (device.name, held.allowMultipleAllocations) == ("a", True)
    assert not held.HasField("bindsToNode")
    assert list(found.spec.sharedCounters) == []
