"""Saboteurs of whoever reads device metadata; the rows stand in ``metadata.yaml``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

#: The document to decode, from a stream; raises ``ValueError``.
Pick = Callable[[str], Object]


def the_last(real: Pick, stream: str) -> Object:
    """Begin at the end of the stream."""
    return real("".join(reversed(stream.splitlines(keepends=True))))


def nothing_but_the_first(real: Pick, stream: str) -> Object:
    """Look at the first object alone."""
    return real(stream.partition("\n")[0])


def past_the_malformed(real: Pick, stream: str) -> Object:
    """Look only at objects that are as they should be."""
    lines = stream.splitlines(keepends=True)
    return real("".join(line for line in lines if _is_sound(json.loads(line))))


def anything(_real: Callable[[Object], Object], document: Object) -> Object:
    """Take a document as it is."""
    return document


def valid_or_nothing(
    real: Callable[[Object, list[str]], Any], obj: Object, complaints: list[str]
) -> Any:
    """Fail for what a validation finds."""
    if complaints:
        raise ValueError("; ".join(complaints))
    return real(obj, complaints)


def _is_sound(document: Object) -> bool:
    requests = document.get("requests")
    return (
        bool(document.get("kind"))
        and isinstance(document["metadata"].get("generation"), int)
        and isinstance(requests, list)
        and all(isinstance(one["devices"], list) for one in requests)
    )


SABOTEURS: Mapping[str, Saboteur] = {
    "metadata-consumer-takes-the-last": the_last,
    "metadata-consumer-stops-at-the-unknown": nothing_but_the_first,
    "metadata-consumer-passes-over-the-malformed": past_the_malformed,
    "metadata-consumer-takes-anything": anything,
    "metadata-consumer-insists-on-validity": valid_or_nothing,
}
