"""Manifests of the suite, and objects that servers return, have the shapes that are published."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import yaml

from conformance import data
from conformance.kube.objects import Object
from conformance.tests.differential.api import record, schemas, shapes
from conformance.upstream import prerequisites

_LEAST_RETURNED = 500


def _manifests() -> Iterator[tuple[str, Object]]:
    for path in sorted(data.fixtures("manifests").rglob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            if isinstance(document, dict) and _is_ours(document):
                metadata = document.get("metadata")
                # A placeholder may stand for the whole of it.
                name = metadata.get("name", "") if isinstance(metadata, dict) else ""
                yield f"{path.parent.name}/{path.name}: {document['kind']} {name}", document


def _is_ours(document: Object) -> bool:
    return str(document.get("apiVersion", "")).startswith(f"{schemas.GROUP}/")


def _returned() -> dict[str, Object]:
    """Return every different object that is recorded; the reference gives the same ones."""
    answers = [one for gates in record.GATES for one in record.recorded(gates).values()]
    objects = [answer["object"] for answer in answers if "object" in answer]
    return {json.dumps(obj, sort_keys=True): obj for obj in objects}


def test_every_manifest_of_the_suite_has_the_published_shape() -> None:
    found = dict(_manifests())

    wrong = {name: shapes.trouble(obj) for name, obj in found.items()}

    assert len(found) > 50
    assert {name: said for name, said in wrong.items() if said} == {}


def test_every_object_that_is_returned_has_the_published_shape() -> None:
    returned = _returned()

    wrong = [(obj, said) for obj in returned.values() if (said := shapes.trouble(obj))]

    assert len(returned) >= _LEAST_RETURNED
    assert wrong[:3] == []


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        pytest.param({"surprise": 1}, "spec", id="unknown field"),
        pytest.param({"devices": []}, "spec.devices", id="wrong type"),
        pytest.param({"devices": {"requests": [{}]}}, "spec.devices.requests.0", id="missing"),
    ],
)
def test_a_wrong_shape_is_seen(spec: Object, where: str) -> None:
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": spec}

    assert [said.partition(":")[0] for said in shapes.trouble(claim)] == [where]


def test_what_is_not_set_may_be_null() -> None:
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}

    assert shapes.trouble({**claim, "spec": {"devices": {"requests": None}}}) == []


@pytest.mark.upstream
@pytest.mark.timeout(600)
def test_a_real_server_publishes_what_is_committed() -> None:
    if missing := prerequisites.missing(kubelet=False):
        pytest.skip("not run: " + "; ".join(missing))

    fresh = schemas.fresh()

    committed = {version: schemas.path_of(version).read_text() for version in schemas.VERSIONS}
    different = [version for version, text in fresh.items() if text != committed[version]]
    assert different == []
