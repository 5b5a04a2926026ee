"""The file about a driver: what it means, and one sentence for each mistake."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from conformance import data
from conformance.harness.errors import TargetMisconfigured
from conformance.harness.process.hook import HOOKS
from conformance.harness.subject.protocol import FEATURES
from conformance.harness.vendor import configuration, example

DRIVER = "driver: {name: gpu.example.com, deviceClass: gpu}\n"
SCHEMA = json.loads(data.schemas("driver", "dra-conformance.schema.json").read_text("utf-8"))


def loaded(folder: Path, text: str) -> configuration.Configuration:
    path = folder / configuration.FILE
    path.write_text(text, "utf-8")
    return configuration.load(path)


def test_the_example_is_valid_and_means_what_it_says(tmp_path: Path) -> None:
    text = example.text("nic.example.com")

    found = loaded(tmp_path, text)

    jsonschema.validate(yaml.safe_load(text), SCHEMA)
    assert found.driver.name == "nic.example.com"
    assert found.driver.environment == {"LOG_LEVEL": "4"}
    assert found.driver.hooks["mock-inventory"].seconds == 30.0
    assert found.profiles == ("driver/core",)


def test_the_smallest_file_leaves_everything_else_open(tmp_path: Path) -> None:
    found = loaded(tmp_path, DRIVER)

    assert (found.driver.command, found.start_within, dict(found.driver.hooks)) == (None, "", {})


def test_parameters_are_what_a_claim_would_hold(tmp_path: Path) -> None:
    text = (
        "driver: {name: d, deviceClass: d, parameters: {kind: K, count: 2, now: true, at: [1.5]}}"
    )

    found = loaded(tmp_path, text)

    assert json.dumps(found.driver.parameters) == (
        '{"kind": "K", "count": 2, "now": true, "at": [1.5]}'
    )


def test_a_class_file_lies_beside_the_file(tmp_path: Path) -> None:
    text = "driver: {name: a.example, deviceClass: a, classFile: class.yaml}\n"

    assert loaded(tmp_path, text).driver.class_file == tmp_path / "class.yaml"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "1:1: holds nothing"),
        ("driver: {name: a.example}\n", "1:9: the field 'deviceClass' is missing"),
        ("driver: {name: A B, deviceClass: a}\n", "1:16: 'A B'"),
        (f"{DRIVER}hook: {{}}\n", "2:1: unknown field 'hook'; did you mean 'hooks'?"),
        (f"{DRIVER}profiles: [driver/cor]\n", "2:12: "),
        (f"{DRIVER}hooks: {{mark-healty: {{command: sh}}}}\n", "did you mean 'mark-healthy'?"),
        (f"{DRIVER}hooks: {{mark-healthy: {{}}}}\n", "the field 'command' is missing"),
        (f"{DRIVER}hooks: {{mark-healthy: {{command: /no/such}}}}\n", "no program '/no/such'"),
        (f"{DRIVER}hooks: {{mark-healthy: {{command: 'sh {{node}}'}}}}\n", "{node_name}"),
        (f"{DRIVER}hooks: {{mark-healthy: {{command: sh, seconds: 0}}}}\n", "2:"),
        ("driver: {name: a.b, deviceClass: a, env: {1A: x}}\n", "no name of an environment"),
        ("driver: {name: a.b, deviceClass: a, features: [helth]}\n", "'health'"),
        ("driver: {name: a.b, deviceClass: a, startWithin: soon}\n", "'soon' is no duration"),
        ("driver: {name: a.b, deviceClass: a, parameters: [1]}\n", "expected a mapping"),
        ("driver: {name: a.b, deviceClass: a, parameters: {at: 2026-01-01}}\n", "as JSON"),
        ("driver: [\n", "2:1"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(TargetMisconfigured) as caught:
        loaded(tmp_path, text)

    said = str(caught.value)
    assert sentence in said
    assert said.startswith(f"{tmp_path / configuration.FILE}:")
    assert "\n" not in said


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TargetMisconfigured, match="nowhere"):
        configuration.load(tmp_path / "nowhere.yaml")


def test_the_schema_knows_what_the_reader_knows() -> None:
    assert set(SCHEMA["properties"]["hooks"]["properties"]) == set(HOOKS)
    driver = SCHEMA["properties"]["driver"]["properties"]
    assert set(driver["features"]["items"]["enum"]) == set(FEATURES)
