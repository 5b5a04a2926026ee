"""A user's file of waivers: read, or refused with file, line and column."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from conformance.catalogue import loading, schema, waivers
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.reading import parse

LAW = loading.load()

GOOD = """waivers:
- id: DRA-BND-04
  reason: Our scheduler is built with a fixed timeout.
  until: 2026-12-31
  link: https://example.com/issues/17
"""


def test_waivers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "waivers.yaml"
    path.write_text(GOOD, "utf-8")

    found = waivers.load(path, LAW)

    assert list(found) == ["DRA-BND-04"]
    assert found["DRA-BND-04"].until == dt.date(2026, 12, 31)
    assert found["DRA-BND-04"].link == "https://example.com/issues/17"


def test_a_good_file_obeys_the_schema() -> None:
    assert not list(schema.against(parse(GOOD, "waivers.yaml"), schema.of_kind("waivers")))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("DRA-BND-04", "DRA-BND-40", "2:7: no requirement is called 'DRA-BND-40'; did you mean"),
        ("2026-12-31", "soon", "4:10: expected a day such as 2026-12-31, found 'soon'"),
        ("2026-12-31", "2026-02-30", "4:10: expected a day such as 2026-12-31"),
        ("https://example.com/issues/17", "somewhere", "5:9: expected a link"),
        ("  link: https://example.com/issues/17\n", "", "2:3: the field 'link' is missing"),
        ("  until:", "  til:", "4:3: unknown field 'til'; did you mean 'until'?"),
        ("waivers:", "waiver:", "1:1: unknown field 'waiver'; did you mean 'waivers'?"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = tmp_path / "waivers.yaml"
    path.write_text(GOOD.replace(old, new, 1), "utf-8")

    with pytest.raises(CatalogueError) as caught:
        waivers.load(path, LAW)

    assert f"waivers.yaml:{sentence}" in str(caught.value)


def test_an_id_that_is_waived_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "waivers.yaml"
    path.write_text(GOOD + GOOD.removeprefix("waivers:\n"), "utf-8")

    with pytest.raises(CatalogueError, match=r":6:3: DRA-BND-04 is waived already at .*:2:7"):
        waivers.load(path, LAW)
