"""The bundled consumer takes the first version that it knows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import conformance.reference.consumer
from conformance.reference.consumer.decoding import GROUP, SEAMS, Consumer, ConsumerError
from conformance.reference.faults.seams import NONE

CONSUMER = Consumer(NONE)


def text(version: str = "v1beta1", **fields: Any) -> str:
    found = {
        "apiVersion": f"{GROUP}/{version}",
        "kind": "DeviceMetadata",
        "metadata": {"name": "claim", "uid": "1", "generation": 1},
        **fields,
    }
    return json.dumps(found)


def test_documents_need_no_separator() -> None:
    stream = text("v99", requests="x") + text("v1alpha1", podClaimName="a") + text()

    assert CONSUMER.read(stream).object["podClaimName"] == "a"


def test_what_follows_is_not_even_read() -> None:
    assert CONSUMER.read(text() + "\n{ no JSON").complaints == ()


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        pytest.param("", r"no version that is known .seen: none.", id="nothing"),
        pytest.param(text("v99"), f"seen: {GROUP}/v99", id="an unknown version"),
        pytest.param("{ no JSON", "the stream is no JSON", id="no JSON"),
        pytest.param('{"kind": "DeviceMetadata"}', "no apiVersion", id="no version"),
        pytest.param("[]", "no apiVersion", id="no object"),
        pytest.param(text(kind="Pod"), "the kind 'Pod'", id="another kind"),
        pytest.param(text(requests={}), "requests is no list", id="no list"),
        pytest.param(text(requests=[{"name": 1}]), r"requests\[0\].name is no str", id="no text"),
        pytest.param(text(metadata={"generation": True}), "generation is no int", id="a boolean"),
    ],
)
def test_what_can_not_be_decoded_is_an_error(stream: str, said: str) -> None:
    with pytest.raises(ConsumerError, match=said):
        CONSUMER.read(stream)


def test_what_is_invalid_is_returned_with_complaints() -> None:
    reading = CONSUMER.read(text(podClaimName="%", metadata={"name": "claim"}))

    assert reading.object["metadata"] == {"name": "claim"}
    assert [one.partition(" ")[0] for one in reading.complaints] == [
        "metadata.uid",
        "podClaimName:",
    ]


def test_seams_are_those_of_the_table() -> None:
    folder = Path(conformance.reference.consumer.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))

    assert set(re.findall(r'wrap\(\s*"([^"]+)"', sources)) == set(SEAMS)
