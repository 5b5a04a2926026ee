"""An object is the same in every version, whichever it was written in."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

pytestmark = pytest.mark.variant(serves=["resource.k8s.io/v1beta1", "resource.k8s.io/v1beta2"])

WAYS = pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("v1beta1", "v1", id="from v1beta1 to v1"),
        pytest.param("v1", "v1beta1", id="from v1 to v1beta1"),
        pytest.param("v1beta2", "v1", id="from v1beta2 to v1"),
        pytest.param("v1", "v1beta2", id="from v1 to v1beta2"),
        pytest.param("v1beta1", "v1beta1", id="from v1beta1 to v1beta1"),
    ],
)


def keeps(versions: Any, topic: str, written: str, read: str) -> None:
    """Expect what the manifest says of the version that is read, with the same metadata."""
    made = versions.write(topic, written)

    found = versions.read(made, read)

    expect.field(found, "apiVersion", f"resource.k8s.io/{read}")
    expect.field(found, "spec", versions.document(topic, read)["spec"])
    expect.field(found, "metadata.uid", made["metadata"]["uid"])


@pytest.mark.requirement("DRA-VER-01a")
@WAYS
@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("claim", id="ResourceClaim"),
        pytest.param("template", id="ResourceClaimTemplate"),
        pytest.param("class", id="DeviceClass"),
        pytest.param("slice", id="ResourceSlice"),
    ],
)
def test_the_core_of_a_kind_is_kept(versions: Any, topic: str, written: str, read: str) -> None:
    """Every field of the core has its place in every version."""
    keeps(versions, topic, written, read)


@pytest.mark.requirement("DRA-VER-01b")
@WAYS
def test_alternatives_are_kept(versions: Any, written: str, read: str) -> None:
    """A prioritized list is one in every version, and no request of its own."""
    keeps(versions, "alternatives", written, read)


@pytest.mark.requirement("DRA-VER-01c")
@WAYS
def test_binding_conditions_are_kept(versions: Any, written: str, read: str) -> None:
    """What a device waits for before binding is told in every version."""
    keeps(versions, "binding", written, read)


@pytest.mark.requirement("DRA-VER-01d")
@WAYS
@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("shared", id="of a device"),
        pytest.param("consumption", id="of a request"),
    ],
)
def test_consumable_capacity_is_kept(versions: Any, topic: str, written: str, read: str) -> None:
    """Sharing, its policy and what is asked of it are told in every version."""
    keeps(versions, topic, written, read)


@pytest.mark.requirement("DRA-VER-01e")
@WAYS
@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("tainted", id="taints of a device"),
        pytest.param("tolerant", id="tolerations of a request"),
    ],
)
def test_taints_and_tolerations_are_kept(
    versions: Any, topic: str, written: str, read: str
) -> None:
    """What a device repels and a request tolerates is told in every version."""
    keeps(versions, topic, written, read)


@pytest.mark.requirement("DRA-VER-01f")
@WAYS
@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("counters", id="shared counters"),
        pytest.param("consuming", id="what a device consumes"),
    ],
)
def test_counters_are_kept(versions: Any, topic: str, written: str, read: str) -> None:
    """Partitions and what they draw from are told in every version."""
    keeps(versions, topic, written, read)


@pytest.mark.requirement("DRA-VER-01g")
@pytest.mark.variant(gates={"DRADerivedAttributes": True})
@WAYS
def test_derived_attributes_are_kept(versions: Any, written: str, read: str) -> None:
    """An attribute that is computed stands in every version."""
    keeps(versions, "derived", written, read)


@pytest.mark.requirement("DRA-VER-01h")
@pytest.mark.variant(gates={"DRAListTypeAttributes": True})
@WAYS
def test_lists_as_values_are_kept(versions: Any, written: str, read: str) -> None:
    """Attributes with several values have them in every version."""
    keeps(versions, "lists", written, read)


@pytest.mark.requirement("DRA-VER-02")
@pytest.mark.variant(serves=["resource.k8s.io/v1alpha3"], gates={"DRADeviceTaintRules": True})
@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("v1beta2", "v1", id="from v1beta2 to v1"),
        pytest.param("v1", "v1beta2", id="from v1 to v1beta2"),
        pytest.param("v1alpha3", "v1", id="from v1alpha3 to v1"),
        pytest.param("v1", "v1alpha3", id="from v1 to v1alpha3"),
        pytest.param("v1alpha3", "v1beta2", id="from v1alpha3 to v1beta2"),
    ],
)
def test_a_rule_of_taints_is_kept(versions: Any, written: str, read: str) -> None:
    """The kind came as an alpha and has had the same shape since."""
    keeps(versions, "rule", written, read)
