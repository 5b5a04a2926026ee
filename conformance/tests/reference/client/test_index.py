"""An index finds what a search through all objects would find."""

from __future__ import annotations

import random

from conformance.kube.objects import Object
from conformance.reference.client.index import Index


def labels(obj: Object) -> list[str]:
    return obj["labels"]


def test_an_index_follows_every_change() -> None:
    draw, index, plain = random.Random(3), Index(labels), dict[str, Object]()
    for _ in range(400):
        key = f"object-{draw.randrange(6)}"
        new = None if draw.random() < 0.3 else {"labels": draw.sample("abcd", draw.randrange(4))}
        index.change(key, plain.pop(key, None), new)
        if new is not None:
            plain[key] = new
        for token in "abcd":
            searched = sorted(name for name, obj in plain.items() if token in labels(obj))
            assert index.keys(token) == searched
