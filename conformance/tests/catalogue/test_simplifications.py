"""What the reference does not emulate is told in the catalogue, sentence by sentence."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from conformance import catalogue, data
from conformance.reference.apiserver import simplifications as apiserver
from conformance.reference.controllers import seams as controllers
from conformance.reference.driver import seams as driver
from conformance.reference.kubelet import seams as kubelet
from conformance.reference.scheduler import seams as scheduler

TABLE = Path(catalogue.__file__).parent / "simplifications.yaml"

COMPONENTS = {
    "apiserver": apiserver.SIMPLIFICATIONS,
    "controllers": controllers.SIMPLIFICATIONS,
    "scheduler": scheduler.SIMPLIFICATIONS,
    "kubelet": kubelet.SIMPLIFICATIONS,
    "driver": driver.SIMPLIFICATIONS,
}


def rows() -> list[dict[str, str]]:
    return yaml.safe_load(TABLE.read_text("utf-8"))["simplifications"]


def test_the_table_is_valid_by_its_schema() -> None:
    schema = json.loads(data.schemas("catalogue", "simplifications.schema.json").read_text("utf-8"))

    jsonschema.validate({"simplifications": rows()}, schema)


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_simplification_is_told_and_every_row_is_true(component: str) -> None:
    told = [row["sentence"] for row in rows() if row["component"] == component]

    assert sorted(told) == sorted(COMPONENTS[component])
