"""Protobuf bodies as Kubernetes' own serializer wrote them, and JSON as a typed server reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.reference.apiserver.codec import protobuf, shapes, structure
from conformance.reference.apiserver.codec.protobuf import Undecodable
from conformance.reference.apiserver.codec.scalars import spell_duration

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.pb"))

#: Zero values that Go's JSON encoder writes because their fields lack omitempty.
NOISE = {"deprecatedSource", "lastState", "lastProbeTime"}


def quiet(value: Any) -> Any:
    """Return JSON without nulls and without the empty structs of ``NOISE``."""
    if isinstance(value, dict):
        return {
            key: quiet(one)
            for key, one in value.items()
            if one is not None and not (key in NOISE and one == {})
        }
    return [quiet(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_protobuf_becomes_the_json_that_kubernetes_makes_of_it(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    # RawExtension may carry a null inside; it is user data and stays.
    decoded = protobuf.decode(path.read_bytes())

    assert quiet(decoded) == quiet(expected)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_field_that_kubernetes_writes_is_known(path: Path) -> None:
    obj = json.loads(path.with_suffix(".json").read_text("utf-8"))
    message = shapes.message_of(obj["apiVersion"], obj["kind"])
    assert message is not None

    pruned, unknown = structure.prune(obj, message)

    assert unknown == []
    assert quiet(pruned) == quiet(obj)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{}", id="json"),
        pytest.param(b"k8s\x00\xff\xff", id="broken envelope"),
        pytest.param(b"k8s\x00\n\x10\n\x02v1\x12\nNoSuchKind", id="unknown kind"),
        pytest.param(b"k8s\x00\n\x09\n\x02v1\x12\x03Pod\x12\x02\xff\xff", id="broken message"),
    ],
)
def test_bytes_that_are_no_object(data: bytes) -> None:
    with pytest.raises(Undecodable):
        protobuf.decode(data)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        pytest.param(
            {"containers": {}},
            "json: cannot unmarshal object into Go struct field spec.containers "
            "of type []Container",
            id="object for list",
        ),
        pytest.param(
            {"hostNetwork": "yes"},
            "json: cannot unmarshal string into Go struct field spec.hostNetwork of type bool",
            id="string for bool",
        ),
        pytest.param(
            {"activeDeadlineSeconds": True},
            "json: cannot unmarshal bool into Go struct field spec.activeDeadlineSeconds "
            "of type int64",
            id="bool for number",
        ),
        pytest.param(
            {"containers": [{"resources": {"limits": {"cpu": "much"}}}]},
            "quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            id="no quantity",
        ),
    ],
)
def test_values_of_a_wrong_type(spec: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Undecodable) as caught:
        structure.prune({"spec": spec}, "k8s.io.api.core.v1.Pod")

    assert str(caught.value) == complaint


def test_a_quantity_without_digits_is_zero() -> None:
    obj = {"spec": {"containers": [{"resources": {"limits": {"cpu": "-", "memory": "Ki"}}}]}}

    pruned, _ = structure.prune(obj, "k8s.io.api.core.v1.Pod")

    limits = pruned["spec"]["containers"][0]["resources"]["limits"]
    assert limits == {"cpu": "0", "memory": "0"}


def test_unknown_fields_are_named_by_path_and_dropped() -> None:
    obj = {"spec": {"containers": [{"name": "c", "imagee": "x"}], "foo": 1}, "bar": None}

    pruned, unknown = structure.prune(obj, "k8s.io.api.core.v1.Pod")

    assert unknown == ["spec.containers[0].imagee", "spec.foo", "bar"]
    assert pruned == {"spec": {"containers": [{"name": "c"}]}}


def test_a_null_in_a_list_is_a_zero_value() -> None:
    obj = {"spec": {"containers": [None, {"args": [None], "ports": None}]}}

    pruned, _ = structure.prune(obj, "k8s.io.api.core.v1.Pod")

    assert pruned["spec"]["containers"] == [{}, {"args": [""]}]


def test_an_explicit_zero_stays_where_go_has_a_pointer() -> None:
    obj = {
        "spec": {
            "hostPID": False,
            "enableServiceLinks": False,
            "nodeName": "",
            "terminationGracePeriodSeconds": 0,
            "volumes": [{"name": "v", "emptyDir": {}}],
        }
    }

    pruned, _ = structure.prune(obj, "k8s.io.api.core.v1.Pod")

    assert pruned["spec"] == {
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 0,
        "volumes": [{"name": "v", "emptyDir": {}}],
    }


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5µs"),
        (20_000_000, "20ms"),
        (1_500_000_000, "1.5s"),
        (60_000_000_000, "1m0s"),
        (3_605_000_000_000, "1h0m5s"),
        (-2_000_000_000, "-2s"),
    ],
)
def test_durations_are_spelled_as_go_does(nanoseconds: int, text: str) -> None:
    assert spell_duration(nanoseconds) == text
