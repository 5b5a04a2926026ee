"""What an older Kubernetes does not have is unsupported there, never an error."""

from __future__ import annotations

import pytest

from conformance.harness.errors import Unsupported
from conformance.harness.targets import ages


def test_a_younger_version_of_a_kind_is_unsupported() -> None:
    rule = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule"}

    ages.must_have("1.37", rule)
    with pytest.raises(Unsupported, match=r"DeviceTaintRule of resource.k8s.io/v1, which came"):
        ages.must_have("1.36", rule)


def test_what_is_old_enough_is_asked_for() -> None:
    ages.must_have("1.34", {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"})
    ages.must_have("1.36", {"apiVersion": "resource.k8s.io/v1alpha3", "kind": "DeviceTaintRule"})
