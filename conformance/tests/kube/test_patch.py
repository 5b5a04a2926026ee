"""Patches do what their RFCs say."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.kube.patch import (
    DirectiveError,
    PatchError,
    json_patch,
    merge_patch,
    strategic_merge,
)

_JSON = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        pytest.param({"op": "add", "path": "/b", "value": 2}, {"a": [1], "b": 2}, id="add a key"),
        pytest.param({"op": "add", "path": "/a/-", "value": 2}, {"a": [1, 2]}, id="append"),
        pytest.param({"op": "add", "path": "/a/0", "value": 0}, {"a": [0, 1]}, id="insert"),
        pytest.param({"op": "replace", "path": "/a/0", "value": 9}, {"a": [9]}, id="replace"),
        pytest.param({"op": "remove", "path": "/a"}, {}, id="remove"),
        pytest.param({"op": "move", "from": "/a", "path": "/c"}, {"c": [1]}, id="move"),
        pytest.param({"op": "copy", "from": "/a", "path": "/c"}, {"a": [1], "c": [1]}, id="copy"),
        pytest.param({"op": "test", "path": "/a", "value": [1]}, {"a": [1]}, id="test holds"),
        pytest.param({"op": "replace", "path": "", "value": {}}, {}, id="the whole"),
        pytest.param({"op": "add", "path": "/x~1y~0z", "value": 1}, {"a": [1], "x/y~z": 1}, id="~"),
    ],
)
def test_json_patch(operation: dict[str, Any], result: Any) -> None:
    before = {"a": [1]}

    assert json_patch(before, [operation]) == result
    assert before == {"a": [1]}


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param({"op": "test", "path": "/a", "value": 2}, id="test fails"),
        pytest.param({"op": "remove", "path": "/b"}, id="nothing to remove"),
        pytest.param({"op": "replace", "path": "/b", "value": 1}, id="nothing to replace"),
        pytest.param({"op": "add", "path": "/b/c", "value": 1}, id="no parent"),
        pytest.param({"op": "add", "path": "/a/7", "value": 1}, id="index out of range"),
        pytest.param({"op": "add", "path": "/a"}, id="no value"),
        pytest.param({"op": "grow", "path": "/a"}, id="unknown operation"),
        pytest.param({"op": "add", "path": "a", "value": 1}, id="no pointer"),
    ],
)
def test_json_patch_that_does_not_apply(operation: dict[str, Any]) -> None:
    with pytest.raises(PatchError):
        json_patch({"a": [1]}, [operation])


def test_merge_patch_removes_by_null_and_replaces_lists() -> None:
    before = {"a": 1, "b": {"c": 1, "d": 2}, "e": [1, 2]}

    after = merge_patch(before, {"a": None, "b": {"c": None, "f": 3}, "e": [3]})

    assert after == {"b": {"d": 2, "f": 3}, "e": [3]}


@given(_JSON)
def test_an_empty_merge_patch_changes_nothing(value: Any) -> None:
    target = {"x": value}
    assert merge_patch(copy.deepcopy(target), {}) == target


@given(_JSON, _JSON)
def test_merging_twice_is_merging_once(target: Any, patch: Any) -> None:
    once = merge_patch(target, patch)
    assert merge_patch(once, patch) == once


def test_strategic_merge_joins_lists_by_their_key() -> None:
    before = {"conditions": [{"type": "A", "status": "False"}, {"type": "B", "status": "True"}]}

    after = strategic_merge(before, {"conditions": [{"type": "A", "status": "True"}]})

    assert after["conditions"] == [
        {"type": "A", "status": "True"},
        {"type": "B", "status": "True"},
    ]


def test_strategic_merge_deletes_by_directive() -> None:
    before = {"volumes": [{"name": "a"}, {"name": "b"}]}

    after = strategic_merge(before, {"volumes": [{"name": "a", "$patch": "delete"}]})

    assert after == {"volumes": [{"name": "b"}]}


def test_strategic_merge_joins_finalizers() -> None:
    after = strategic_merge({"finalizers": ["a"]}, {"finalizers": ["a", "b"]})

    assert after == {"finalizers": ["a", "b"]}


def test_strategic_merge_replaces_other_lists() -> None:
    assert strategic_merge({"args": ["a"]}, {"args": ["b"]}) == {"args": ["b"]}


@pytest.mark.parametrize(
    ("patch", "result"),
    [
        pytest.param(
            {"a": {"$patch": "replace", "c": 1}}, {"a": {"c": 1}, "f": ["x", "y"]}, id="replace"
        ),
        pytest.param({"$deleteFromPrimitiveList/f": ["x"]}, {"a": {"b": 1}, "f": ["y"]}, id="list"),
        pytest.param({"$retainKeys": ["a"], "f": None}, {"a": {"b": 1}}, id="retained keys"),
    ],
)
def test_directives_of_strategic_merge(patch: dict[str, Any], result: dict[str, Any]) -> None:
    assert strategic_merge({"a": {"b": 1}, "f": ["x", "y"]}, patch) == result


def test_a_keyed_list_can_be_replaced_and_grow() -> None:
    before = {"volumes": [{"name": "a"}]}
    replaced = {"volumes": [{"$patch": "replace"}, {"name": "b"}]}

    assert strategic_merge(before, replaced) == {"volumes": [{"name": "b"}]}
    assert strategic_merge(before, {"volumes": [{"name": "b"}]}) == {
        "volumes": [{"name": "b"}, {"name": "a"}]
    }


def test_what_is_new_in_a_keyed_list_comes_first_and_an_order_moves_it() -> None:
    # As a real API server was seen to do: what the patch names stands before what it does not.
    before = {"conditions": [{"type": "A"}, {"type": "B"}]}
    grown = {"conditions": [{"type": "C"}, {"type": "A", "status": "True"}]}
    ordered = {"$setElementOrder/conditions": [{"type": "A"}, {"type": "C"}, {"type": "B"}]}

    assert strategic_merge(before, grown) == {
        "conditions": [{"type": "C"}, {"type": "A", "status": "True"}, {"type": "B"}]
    }
    assert strategic_merge(before, {**grown, **ordered}) == {
        "conditions": [{"type": "A", "status": "True"}, {"type": "C"}, {"type": "B"}]
    }


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param({"volumes": [{"emptyDir": {}}]}, id="element without its key"),
        pytest.param({"a": {"$patch": "guess"}}, id="unknown directive"),
    ],
)
def test_a_meaningless_strategic_merge_patch(patch: dict[str, Any]) -> None:
    with pytest.raises(DirectiveError):
        strategic_merge({"volumes": [{"name": "a"}], "a": {}}, patch)


def test_a_map_is_deleted_by_a_directive() -> None:
    assert strategic_merge({"data": {"a": 1}}, {"data": {"$patch": "delete"}}) == {"data": {}}


@pytest.mark.parametrize(
    "operations",
    [
        pytest.param([{"op": "add", "path": "/a/b", "value": 1}], id="below a number"),
        pytest.param([{"op": "remove", "path": "/l/x"}], id="a word as index"),
    ],
)
def test_json_patch_below_what_holds_nothing(operations: list[dict[str, Any]]) -> None:
    with pytest.raises(PatchError):
        json_patch({"a": 1, "l": [1]}, operations)


def test_json_patch_removes_from_a_list() -> None:
    assert json_patch({"l": [1, 2]}, [{"op": "remove", "path": "/l/0"}]) == {"l": [2]}
