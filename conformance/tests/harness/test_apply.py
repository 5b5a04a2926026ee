"""Manifests are rendered with a world's values, and nothing is created that can't be found."""

from __future__ import annotations

from typing import Any

import pytest

from conformance import data
from conformance.harness import apply
from conformance.harness.apply import Applied, ManifestError
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError, not_found

VALUES = {
    "name": "dra-conf-x-1",
    "namespace": "dra-conf-x-1",
    "driver": "dra-conf-x-1.example",
    "class": "dra-conf-x-1",
    "pool": "dra-conf-x-1-pool",
    "image": "image",
}


class Api:
    """Keeps what it is asked to create and delete."""

    def __init__(self, refusal: StatusError | None = None) -> None:
        self.created: list[Object] = []
        self.deleted: list[str] = []
        self.refusal = refusal

    def create(self, resource: Resource, body: Object, namespace: str | None) -> Object:
        """Take the object and give it a uid."""
        self.created.append(body)
        return {**body, "metadata": {**body["metadata"], "uid": resource.plural}}

    def delete(self, resource: Resource, name: str, namespace: str | None, **_: Any) -> None:
        """Note the deletion, and refuse it if told so."""
        self.deleted.append(f"{resource.plural}/{name}")
        if self.refusal:
            raise self.refusal


def applied(api: Any) -> Applied:
    return Applied(api, run="x", namespace="dra-conf-x-1")


def test_a_list_is_put_in_as_yaml() -> None:
    documents = apply.render(
        "binding_conditions/one_device", {**VALUES, "conditions": ["a", "b"], "failures": []}
    )

    device = documents[1]["spec"]["devices"][0]
    assert [document["kind"] for document in documents] == [
        "DeviceClass",
        "ResourceSlice",
        "ResourceClaim",
        "Pod",
    ]
    assert device["bindingConditions"] == ["a", "b"]


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        pytest.param("binding_conditions/one_device", "conditions", id="a value is missing"),
        pytest.param("binding_conditions/no_such_topic", "No such file", id="no such manifest"),
    ],
)
def test_a_manifest_that_cannot_be_rendered_is_our_error(topic: str, said: str) -> None:
    with pytest.raises(ManifestError, match=said):
        apply.render(topic, VALUES)


def test_everything_carries_the_label_of_the_run() -> None:
    api = Api()

    applied(api).create(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod", "labels": {"a": "b"}}}
    )

    assert api.created[0]["metadata"]["labels"] == {"a": "b", "dra-conformance/run": "x"}


def test_what_is_not_ours_to_name_is_not_created() -> None:
    api = Api()

    with pytest.raises(ManifestError, match="must start with dra-conf-"):
        applied(api).create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}})
    assert api.created == []


def test_the_newest_goes_first_and_what_is_gone_is_no_trouble() -> None:
    api = Api(refusal=not_found("pods", "", "pod"))
    made = applied(api)
    for kind, name in (("Namespace", "dra-conf-x-1"), ("Pod", "pod")):
        made.create({"apiVersion": "v1", "kind": kind, "metadata": {"name": name}})

    troubles = made.delete_all()

    assert api.deleted == ["pods/pod", "namespaces/dra-conf-x-1"]
    assert troubles == []


def manifests() -> list[str]:
    root = data.fixtures("manifests")
    areas = ("binding_conditions", "prescheduled", "pool_status")
    return [
        f"{area}/{path.stem}" for area in areas for path in sorted((root / area).glob("*.yaml"))
    ]


@pytest.mark.parametrize("topic", manifests())
def test_every_manifest_is_named_by_a_check(topic: str) -> None:
    suite = data.fixtures().parent / "conformance"
    sources = [path.read_text("utf-8") for path in (suite / "suite").rglob("*.py")]

    assert any(f'"{topic}"' in source for source in sources)
