"""Expressions whose value is a JSON patch."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.cel import CompileError, EvaluationError, compile_patch

POD = {"spec": {"nodeName": "a", "replicas": 3, "labels": ["x", "y"]}}


def operations(text: str) -> Any:
    return compile_patch(text, ("object",)).operations({"object": POD})


def test_a_patch_is_its_operations_in_order() -> None:
    found = operations(
        '[JSONPatch{op: "remove", path: "/a"}, JSONPatch{op: "move", from: "/b", path: "/c"}]'
    )

    assert found == [{"op": "remove", "path": "/a"}, {"op": "move", "from": "/b", "path": "/c"}]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("object.spec.nodeName", "a", id="text of the object"),
        pytest.param('{"host": object.spec.nodeName}', {"host": "a"}, id="a map"),
        pytest.param("object.spec.replicas + 1", 4, id="a whole number"),
        pytest.param("0.5", 0.5, id="a fraction"),
        pytest.param("[true, null]", [True, None], id="a list"),
    ],
)
def test_a_value_is_json(value: str, expected: object) -> None:
    found = operations(f'[JSONPatch{{op: "add", path: "/a", value: {value}}}]')

    assert found == [{"op": "add", "path": "/a", "value": expected}]
    assert type(found[0]["value"]) is type(expected)


def test_a_patch_is_made_of_what_the_object_holds() -> None:
    found = operations('object.spec.labels.map(l, JSONPatch{op: "remove", path: "/" + l})')

    assert [one["path"] for one in found] == ["/x", "/y"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[1]", id="no patches"),
        pytest.param('JSONPatch{op: "remove", path: "/a"}', id="no list"),
        pytest.param("[JSONPatch{what: 1}]", id="an unknown field"),
        pytest.param("Object{}", id="a configuration to apply"),
    ],
)
def test_what_is_no_patch_does_not_compile(text: str) -> None:
    with pytest.raises(CompileError):
        compile_patch(text, ("object",))


def test_a_patch_without_an_answer_says_so() -> None:
    with pytest.raises(EvaluationError, match="no such key: missing"):
        operations('[JSONPatch{op: "add", path: "/a", value: object.missing}]')
