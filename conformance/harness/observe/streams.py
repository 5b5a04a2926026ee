"""Streams of device metadata as a consumer may find them, and what it must make of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from conformance.harness import expect
from conformance.harness.errors import ABSENT
from conformance.harness.observe.metadata import GROUP
from conformance.harness.programs.consumer import Answer
from conformance.kube.objects import Object


def document(version: str, name: str, **fields: Any) -> Object:
    """Return an object of the metadata API for the claim ``name``; ``fields`` replace its own."""
    device = {"driver": "gpu.example.com", "pool": "node-1", "name": f"{name}-gpu"}
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": "DeviceMetadata",
        "metadata": {"name": name, "namespace": "default", "uid": "1234", "generation": 1},
        "requests": [{"name": "gpu", "devices": [device]}],
        **fields,
    }


def of(documents: Sequence[Object]) -> str:
    """Return the documents as a stream, one a line as drivers write them."""
    return "".join(f"{json.dumps(one)}\n" for one in documents)


def taken(answer: Answer, name: str) -> Object:
    """Expect the object of the claim ``name``, whole; raises ``Violation``."""
    found = answer.object or {}
    observed = expect.at(found, "metadata.name")
    expect.that(
        observed == name,
        f"the object of claim {name}",
        path="standard output",
        observed=f"{'none' if observed is ABSENT else observed} {answer.error}".strip(),
    )
    return expect.field(found, "requests[0].devices[0].name", f"{name}-gpu")


def refused(answer: Answer) -> None:
    """Expect an error and no object; raises ``Violation``."""
    expect.that(bool(answer.error), "an error", path="exit code", observed="0")
    expect.that(answer.object is None, "no object", path="standard output", observed=answer.object)
