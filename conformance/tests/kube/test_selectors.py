"""Selectors of labels, fields and nodes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.kube.selectors import (
    SelectorError,
    label_selector,
    node_selector_matches,
    parse_field_selector,
    parse_label_selector,
)

_LABELS = {"zone": "a", "count": "5"}
_NODE = {"metadata": {"name": "node-1", "labels": _LABELS}}


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        pytest.param("", True, id="empty selects all"),
        pytest.param("zone=a", True, id="equal"),
        pytest.param("zone==b", False, id="double equal"),
        pytest.param("zone!=b", True, id="unequal"),
        pytest.param("other!=b", True, id="unequal where absent"),
        pytest.param("zone in (a, b)", True, id="in"),
        pytest.param("zone notin (a,b)", False, id="notin"),
        pytest.param("zone", True, id="exists"),
        pytest.param("!zone", False, id="absent"),
        pytest.param("zone=a,count>4", True, id="conjunction with greater"),
        pytest.param("count<5", False, id="less"),
        pytest.param("zone>4", False, id="greater than a word"),
    ],
)
def test_label_selector_text(text: str, matches: bool) -> None:
    assert parse_label_selector(text).matches(_LABELS) is matches


@pytest.mark.parametrize("text", ["zone in a", "a b", "=x"])
def test_label_selector_that_is_none(text: str) -> None:
    with pytest.raises(SelectorError, match="unable to parse"):
        parse_label_selector(text)


def test_label_selector_object_joins_both_forms() -> None:
    selector = label_selector(
        {
            "matchLabels": {"zone": "a"},
            "matchExpressions": [{"key": "count", "operator": "Exists"}],
        }
    )

    assert selector.matches(_LABELS)
    assert not selector.matches({"zone": "a"})


def test_label_selector_object_with_unknown_operator() -> None:
    with pytest.raises(SelectorError, match="not a valid label selector operator"):
        label_selector({"matchExpressions": [{"key": "a", "operator": "Like"}]})


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        pytest.param("metadata.name=node-1", True, id="equal"),
        pytest.param("metadata.name!=node-1", False, id="unequal"),
        pytest.param("spec.nodeName=", True, id="a missing field is empty"),
        pytest.param("spec.on=true,metadata.name==node-1", True, id="boolean and conjunction"),
        pytest.param("", True, id="empty selects all"),
    ],
)
def test_field_selector(text: str, matches: bool) -> None:
    obj = {**_NODE, "spec": {"on": True}}

    assert parse_field_selector(text).matches(obj) is matches


def test_field_selector_that_is_none() -> None:
    with pytest.raises(SelectorError, match="can't understand"):
        parse_field_selector("metadata.name")


@pytest.mark.parametrize(
    ("term", "matches"),
    [
        pytest.param({}, False, id="an empty term matches nothing"),
        pytest.param({"matchFields": [_f := {"key": "metadata.name", "operator": "In",
                      "values": ["node-1"]}]}, True, id="by name"),
        pytest.param({"matchExpressions": [{"key": "zone", "operator": "NotIn",
                      "values": ["b"]}]}, True, id="by label"),
        pytest.param({"matchFields": [_f], "matchExpressions": [{"key": "zone",
                      "operator": "DoesNotExist"}]}, False, id="both must match"),
        pytest.param({"matchExpressions": [{"key": "count", "operator": "Gt",
                      "values": ["4"]}]}, True, id="greater"),
        pytest.param({"matchExpressions": [{"key": "count", "operator": "Lt",
                      "values": ["x"]}]}, False, id="less than a word"),
    ],
)  # fmt: skip
def test_node_selector_term(term: dict[str, Any], matches: bool) -> None:
    assert node_selector_matches({"nodeSelectorTerms": [term]}, _NODE) is matches


def test_node_selector_takes_any_of_its_terms() -> None:
    by_name = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}

    assert node_selector_matches({"nodeSelectorTerms": [{}, by_name]}, _NODE)
    assert not node_selector_matches({"nodeSelectorTerms": []}, _NODE)
