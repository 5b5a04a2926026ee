"""Cells know where they stand, and refuse what they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.model import Level
from conformance.catalogue.reading import parse, read


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "f.yaml:1:1: holds nothing"),
        ("a: [1\nb: x", "f.yaml:2:2: is not YAML"),
        ("a: b: c", "f.yaml:1:5: is not YAML"),
        ("[x]", "f.yaml:1:1: expected a mapping, found a list"),
        ("name: x\nnmae: y", "f.yaml:2:1: unknown field 'nmae'; did you mean 'name'?"),
        ("other: x", "f.yaml:1:1: unknown field 'other'"),
        ("{}", "f.yaml:1:1: the field 'name' is missing"),
        ("name: x\nname: y", "f.yaml:2:1: the field 'name' stands here twice"),
    ],
)
def test_a_malformed_document_is_refused_where_it_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        parse(text, "f.yaml").fields(("name",))

    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "reader", "sentence"),
    [
        ("a: {}", "text", "expected a text, found a mapping"),
        ("a:", "text", "expected a text, found nothing"),
        ("a: x", "items", "expected a list, found the text 'x'"),
        ("a: yes", "flag", "expected true or false, found 'yes'"),
        ("a: soon", "number", "expected a number, found 'soon'"),
        ("a: -1", "number", "expected a number greater than zero, found '-1'"),
        ("a: nan", "number", "expected a number greater than zero, found 'nan'"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(text: str, reader: str, sentence: str) -> None:
    cell = parse(text, "f.yaml").fields(("a",))["a"]

    with pytest.raises(CatalogueError, match=sentence):
        getattr(cell, reader)()


def test_a_choice_names_what_could_stand_there() -> None:
    cell = parse("must", "f.yaml")

    with pytest.raises(CatalogueError, match="expected one of MUST, SHOULD, MAY, INFO"):
        cell.choice(Level)


def test_plain_keeps_texts_and_reads_numbers_and_truth() -> None:
    cell = parse('{a: "1.34", b: 5, c: true, d: "true", e: [x, {f: no}], g: }', "f.yaml")

    assert cell.plain() == {
        "a": "1.34",
        "b": 5.0,
        "c": True,
        "d": "true",
        "e": ["x", {"f": "no"}],
        "g": None,
    }


def test_at_finds_the_place_of_a_path_or_the_nearest_above() -> None:
    cell = parse("a:\n- b: x\n- c:\n    d: y\n", "f.yaml")

    assert str(cell.at(["a", 1, "c", "d"]).position) == "f.yaml:4:8"
    assert str(cell.at(["a", 7]).position) == "f.yaml:2:1"


@pytest.mark.parametrize("kind", ["missing", "folder", "bytes"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "law.yaml"
    if kind == "folder":
        path.mkdir()
    if kind == "bytes":
        path.write_bytes(b"\xff\xfe")

    with pytest.raises(CatalogueError, match=r"law\.yaml:1:1: (cannot be read|is not UTF-8)"):
        read(path)
