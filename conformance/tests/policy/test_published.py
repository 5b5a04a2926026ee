"""Real input: every finding on published manifests is explained, and nothing else is found."""

from __future__ import annotations

import json

import jsonschema
import pytest

from conformance import data
from conformance.policy.manifests import files
from conformance.tests.policy import published
from conformance.tests.policy.published import Row, Together

ROWS = [row for world in published.worlds() for row in world.rows]


def test_sets_have_the_shape_of_their_schema() -> None:
    schema = json.loads(data.schemas("policy", "published.schema.json").read_text())

    jsonschema.validate(published.table(), schema)


def test_every_published_manifest_is_judged() -> None:
    judged = {path for world in published.worlds() for path in world.paths}
    lying = {
        str(path.relative_to(published.ROOT))
        for path in published.ROOT.rglob("*.yaml")
        if path.name != "sets.yaml"
    }

    assert not [one for one in lying if not any(one.startswith(path) for path in judged)]


@pytest.mark.parametrize("world", published.worlds(), ids=lambda world: world.paths[0])
def test_objects_are_read(world: Together) -> None:
    reading = files.read([str(published.ROOT / path) for path in world.paths])

    assert reading.manifests or reading.troubles or reading.others


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.place)
def test_each_finding_has_one_explanation(row: Row) -> None:
    assert len(published.explained(row)) == 1, row


def test_each_explanation_explains_something() -> None:
    used = {one for row in ROWS for one in published.explained(row)}

    assert set(published.explanations()) == used


def test_the_report_is_that_of_this_tree() -> None:
    assert published.REPORT.read_text(encoding="utf-8") == published.render(), (
        "run python -m conformance.tests.policy.published"
    )
