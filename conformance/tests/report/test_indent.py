"""Evidence holds JSON in one line, and the page shows it in many."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.report.html.indent import indented

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), _VALUES) | st.lists(_VALUES))
def test_json_is_laid_out_as_json_itself_does_it(value: object) -> None:
    line = json.dumps(value)

    assert indented(line) == json.dumps(value, indent=1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> GET /api\nnothing, {as} it is", "> GET /api\nnothing, {as} it is"),
        ('> PUT /x\n{"a": [1]}\n< 200', '> PUT /x\n{\n "a": [\n  1\n ]\n}\n< 200'),
        ('{"a": {"b": "cut, {of', '{\n "a": {\n  "b": "cut, {of'),
        ('{"a": "an \\"end\\", with", "b": 1}', '{\n "a": "an \\"end\\", with",\n "b": 1\n}'),
        ('{\n "a": 1\n}', '{\n "a": 1\n}'),
        ("", ""),
    ],
    ids=["no JSON", "an exchange", "cut off", "escapes", "laid out already", "nothing"],
)
def test_what_is_no_whole_object_is_shown_as_far_as_it_goes(text: str, shown: str) -> None:
    assert indented(text) == shown
