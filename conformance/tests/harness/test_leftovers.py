"""Leftovers are found by label and prefix together; what was lent to a driver by its label."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import leftovers
from conformance.harness.errors import TargetUnreachable
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError, forbidden, not_found

LABEL = "dra-conformance/run"
LENT = "dra-conformance/lent"


class Api:
    """Lists namespaces and Pods; notes what is deleted."""

    def __init__(self, objects: dict[str, list[Object]], error: StatusError | None = None) -> None:
        self.objects = objects
        self.error = error
        self.asked: list[str] = []
        self.deleted: list[str] = []

    def list(self, resource: Resource, *, labels: str) -> list[Object]:
        """Return the objects of a kind, or refuse."""
        self.asked.append(labels)
        if self.error:
            raise self.error
        name = labels.partition("=")[0]
        found = self.objects.get(resource.plural, [])
        return [one for one in found if name in one["metadata"]["labels"]]

    def delete(self, resource: Resource, name: str, namespace: str | None, **_: Any) -> None:
        """Note the deletion."""
        self.deleted.append(f"{resource.plural}/{name}")


def namespace(name: str, **metadata: Any) -> Object:
    return {"metadata": {"name": name, "labels": {LABEL: "r"}, **metadata}}


def test_a_label_without_the_prefix_is_not_ours() -> None:
    api: Any = Api({"namespaces": [namespace("dra-conf-r-1"), namespace("production")]})

    assert [one.name for one in leftovers.find_all(api)] == ["dra-conf-r-1"]


def test_a_namespaced_object_counts_by_its_namespace() -> None:
    api: Any = Api(
        {
            "pods": [
                namespace("pod", namespace="dra-conf-r-1"),
                namespace("dra-conf-x", namespace="default"),
            ]
        }
    )

    assert [str(one) for one in leftovers.find_all(api)] == ["pod/pod in dra-conf-r-1"]


def test_what_was_lent_to_a_driver_has_the_name_that_its_vendor_gave_it() -> None:
    lent = {"name": "gpu.example.com", "labels": {LENT: "r7"}}
    account = {"name": "driver", "namespace": "kube-system", "labels": {LENT: "r7"}}
    api: Any = Api(
        {"deviceclasses": [{"metadata": lent}], "serviceaccounts": [{"metadata": account}]}
    )

    found = leftovers.find_all(api)

    assert [(str(one), one.run) for one in found] == [
        ("deviceclass/gpu.example.com", "r7"),
        ("serviceaccount/driver in kube-system", "r7"),
    ]


def test_one_run_is_asked_for_by_its_label() -> None:
    api: Any = Api({})

    leftovers.find_all(api, "r7")

    assert set(api.asked) == {f"{LABEL}=r7", f"{LENT}=r7"}


def test_what_is_leaving_already_is_said_to_be() -> None:
    leaving = namespace("dra-conf-r-1", deletionTimestamp="2026-01-01T00:00:00Z")
    api: Any = Api({"namespaces": [leaving]})

    assert [one.leaving for one in leftovers.find_all(api)] == [True]


def test_a_kind_that_is_not_served_has_no_leftovers() -> None:
    api: Any = Api({}, error=not_found("pods", "", ""))

    assert leftovers.find_all(api) == []


def test_without_permission_nothing_is_claimed() -> None:
    api: Any = Api({}, error=forbidden("pods", "", "", "no"))

    with pytest.raises(TargetUnreachable, match="cannot be listed"):
        leftovers.find_all(api)


def test_pods_go_before_their_namespace() -> None:
    api: Any = Api(
        {
            "namespaces": [namespace("dra-conf-r-1")],
            "pods": [namespace("pod", namespace="dra-conf-r-1")],
        }
    )

    assert leftovers.delete(api, leftovers.find_all(api)) == []
    assert api.deleted == ["pods/pod", "namespaces/dra-conf-r-1"]
