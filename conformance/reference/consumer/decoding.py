"""Reading a stream of versioned objects: the first of a version that is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.consumer import shapes
from conformance.reference.faults.seams import Faults

GROUP = "metadata.resource.k8s.io"

#: The versions that it can decode.
VERSIONS = (f"{GROUP}/v1beta1", f"{GROUP}/v1alpha1")

#: Every seam: its name, and the function behind it.
SEAMS = {
    "consumer.pick": "(stream) -> the document to decode; raises ConsumerError",
    "consumer.decode": "(document) -> the object; raises ConsumerError",
    "consumer.reading": "(object, complaints) -> Reading; raises ConsumerError",
}


class ConsumerError(ValueError):
    """A stream can't be used; one sentence says why."""


@attrs.frozen(kw_only=True)
class Reading:
    """A decoded object, and what a validation has to say of it."""

    object: Object
    complaints: tuple[str, ...] = ()


class Consumer:
    """Reads the metadata of an application's devices."""

    def __init__(self, faults: Faults) -> None:
        self._pick = faults.wrap("consumer.pick", pick)
        self._decode = faults.wrap("consumer.decode", decode)
        self._reading = faults.wrap("consumer.reading", reading)

    def read(self, stream: str) -> Reading:
        """Return what the stream holds for us; raises ``ConsumerError``."""
        obj = self._decode(self._pick(stream))
        return self._reading(obj, shapes.complaints(obj))


def documents(stream: str) -> Iterator[Any]:
    """Yield the documents of a stream as they are needed; raises ``ConsumerError``."""
    decoder = json.JSONDecoder()
    rest = stream.lstrip()
    while rest:
        try:
            document, end = decoder.raw_decode(rest)
        except ValueError as error:
            raise ConsumerError(f"the stream is no JSON: {error}") from error
        yield document
        rest = rest[end:].lstrip()


def version_of(document: Any) -> str:
    """Return the version of a document; raises ``ConsumerError`` where it says none."""
    version = document.get("apiVersion") if isinstance(document, dict) else None
    if not isinstance(version, str) or not version:
        raise ConsumerError("an object in the stream says no apiVersion")
    return version


def pick(stream: str) -> Any:
    """Return the first document of a known version; later ones are not even looked at."""
    unknown: list[str] = []
    for document in documents(stream):
        version = version_of(document)
        if version in VERSIONS:
            return document
        unknown.append(version)
    seen = ", ".join(unknown) or "none"
    raise ConsumerError(f"the stream holds no version that is known (seen: {seen})")


def decode(document: Object) -> Object:
    """Return a document as an object; raises ``ConsumerError`` where it is malformed."""
    if document.get("kind") != "DeviceMetadata":
        raise ConsumerError(f"the kind {document.get('kind')!r} is not DeviceMetadata")
    for mismatch in shapes.mismatches(document, shapes.SHAPE):
        raise ConsumerError(f"malformed {document['apiVersion']}: {mismatch}")
    return document


def reading(obj: Object, complaints: list[str]) -> Reading:
    """Return the object whatever a validation says of it: those are two results."""
    return Reading(object=obj, complaints=tuple(complaints))
