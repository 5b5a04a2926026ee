"""Texts of all kinds become objects, or troubles with a place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.policy.manifests.documents import EVIDENCE, Reading, read_journal, read_text

POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def names(reading: Reading) -> list[str]:
    return [one.name for one in reading.manifests]


def test_documents_are_split_and_empty_ones_left_out() -> None:
    reading = read_text(f"---\n---\n{POD}---\n# nothing\n---\n{POD}", "f")

    assert names(reading) == ["a", "a"]
    assert [one.place.line for one in reading.manifests] == [3, 10]


def test_json_is_read_as_well() -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}, indent=2)
    reading = read_text(text, "f.json")

    assert names(reading) == ["a"]
    assert reading.manifests[0].where(("metadata", "name")).line == 5


def test_what_is_no_object_is_counted() -> None:
    reading = read_text("replicas: 2\n---\n- a\n---\nkind: 7\napiVersion: v1\n", "values.yaml")

    assert reading.manifests == ()
    assert reading.others == 3


@pytest.mark.parametrize(
    ("broken", "place", "sentence"),
    [
        ("a: b: c\n", "f:6:5", "is not YAML: mapping values are not allowed in this context"),
        ("a: [1\n", "f:7:1", "is not YAML: "),
        ("a: *nowhere\n", "f:6:4", "is not YAML: found undefined alias"),
        ("a: &a [*a]\n", "f:6:4", "this value contains itself"),
        ("[a]: b\n", "f:6:1", "a key is a text"),
        ("a: {{ .Values.name }}\n", "f:6:5", "this template was not rendered"),
        ("{{- if .Values.a }}\na: b\n{{- end }}\n", "f:6:3", "this template was not rendered"),
        (POD.replace("a\n", "'{{ .Values.a }}'\n"), "f:9:9", "this template was not rendered"),
        (POD.replace("a\n", "'{{ template \"a\" . }}'\n"), "f:9:9", "this template was not"),
        (POD.replace("a\n", "'{{ quote $.Values.a }}'\n"), "f:9:9", "this template was not"),
        (BOMB, "f:", "its aliases stand for more than"),
        ("a: " + "[" * 3000 + "\n", "f:", "is not YAML: "),
        ("a: \x01\n", "f:", "is not YAML: "),
    ],
    ids=["colon", "open", "alias", "cycle", "key", "braces", "block", "quoted", "named",
         "root", "bomb", "deep", "control"],
)  # fmt: skip
def test_what_cannot_be_read_is_told_and_the_rest_is_judged(
    broken: str, place: str, sentence: str
) -> None:
    reading = read_text(f"{POD}---\n{broken}---\n{POD}", "f")

    (trouble,) = reading.troubles
    assert str(trouble.place).startswith(place)
    assert trouble.sentence.startswith(sentence)
    assert names(reading) == ["a", "a"]


def test_a_template_of_somebody_else_is_a_text() -> None:
    alert = POD + "data: {summary: '{{ $labels.pod }} is gone', more: '{{ .Status }}'}\n"

    assert read_text(alert, "f").troubles == ()


def test_anchors_and_merge_keys_are_resolved() -> None:
    text = POD + "spec:\n  a: &a {x: 1, y: 2}\n  b: {<<: *a, y: 3}\n  c: *a\n"
    (pod,) = read_text(text, "f").manifests

    assert pod.object["spec"]["b"] == {"x": 1, "y": 3}
    assert pod.object["spec"]["c"] == {"x": 1, "y": 2}


def test_a_field_that_says_null_is_not_there() -> None:
    text = (
        POD + "  labels:\nspec:\n  a: &a {x: 1, y: 2}\n  b: {<<: *a, y: null, z: ~}\n  c: [null]\n"
    )
    (pod,) = read_text(text, "f").manifests

    assert pod.object["metadata"] == {"name": "a"}
    assert pod.object["spec"]["b"] == {"x": 1}
    assert pod.object["spec"]["c"] == [None]


def test_days_stay_texts() -> None:
    (pod,) = read_text(POD + "day: 2026-01-02\nnumber: 0x10\nyes: no\n", "f").manifests

    assert pod.object["day"] == "2026-01-02"
    assert pod.object["number"] == 16
    assert pod.object["yes"] is False


def test_records_of_a_run_are_objects() -> None:
    journal = '{"event":"header","target":{"name":"x"}}\n{"event":"check","check":"a"}\nnone\n'
    reading = read_journal(journal, "journal.jsonl")

    assert [(one.kind, one.object["apiVersion"]) for one in reading.manifests] == [
        ("Header", EVIDENCE),
        ("Check", EVIDENCE),
    ]
    assert str(reading.troubles[0].place) == "journal.jsonl:3:1"


@given(st.text(st.sampled_from("{}[]:-&*a \n\"'|>#!%?,<"), max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    reading = read_text(text, "f")

    assert all(one.place.line > 0 for one in reading.troubles)
