"""The shapes of the kinds of resource.k8s.io, as a real API server publishes them.

``python -m conformance.tests.differential.api.schemas`` starts a real control plane and writes
``schemas/kubernetes/<group>_<version>.openapi.json`` anew.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance import data
from conformance.kube.objects import Object
from conformance.upstream.cluster import Cluster
from conformance.upstream.plan import Plan

GROUP = "resource.k8s.io"
VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")

_REFERENCE = "#/components/schemas/"
_KIND = "x-kubernetes-group-version-kind"


def path_of(version: str) -> Path:
    """Return where the document of a version lies."""
    return data.schemas("kubernetes", f"{GROUP}_{version}.openapi.json")


def fresh() -> dict[str, str]:
    """Return the documents of a real API server by version, as they are written down.

    Errors are those of ``conformance.upstream``.
    """
    with (
        tempfile.TemporaryDirectory(prefix="ds-", dir="/tmp") as folder,
        Cluster(Path(folder) / "s", Plan(alpha=True, bare_nodes=0)) as cluster,
    ):
        documents = {
            version: cluster.api.call("GET", f"/openapi/v3/apis/{GROUP}/{version}")
            for version in VERSIONS
        }
    return {version: spelled(trimmed(one)) for version, one in documents.items()}


def trimmed(document: Object) -> Object:
    """Return a document with the kinds of its group, and what they consist of, alone."""
    shapes = document["components"]["schemas"]
    wanted = [name for name, shape in shapes.items() if _is_stored(shape)]
    kept: dict[str, Object] = {}
    while wanted:
        name = wanted.pop()
        if name not in kept:
            kept[name] = shapes[name]
            wanted += _references(shapes[name])
    return {
        "openapi": document["openapi"],
        "info": document["info"],
        "components": {"schemas": dict(sorted(kept.items()))},
    }


def spelled(document: Object) -> str:
    """Return a document as it is written down."""
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _is_stored(shape: Object) -> bool:
    # The options and events of metav1 claim to be of every group.
    kinds = shape.get(_KIND, [])
    return len(kinds) == 1 and kinds[0]["group"] == GROUP and "metadata" in shape["properties"]


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(_REFERENCE)
        for one in value.values():
            yield from _references(one)
    elif isinstance(value, list):
        for one in value:
            yield from _references(one)


if __name__ == "__main__":
    for _version, _text in fresh().items():
        path_of(_version).write_text(_text)
