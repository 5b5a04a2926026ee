"""World files: the fixtures load, and what is wrong is said with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.data import fixtures
from conformance.reference.world.loading import WorldError, load_world, parse_world


@pytest.mark.parametrize(
    "path", sorted(fixtures("worlds").glob("*.yaml")), ids=lambda one: one.stem
)
def test_every_fixture_is_a_world(path: Path) -> None:
    assert load_world(path).nodes


def test_counted_devices_are_spelled_out() -> None:
    world = load_world(fixtures("worlds", "default.yaml"))

    driver = world.drivers[0]
    assert [device["name"] for device in driver.devices] == [f"device-{n}" for n in range(8)]
    assert driver.devices[0]["capacity"] == {"memory": {"value": "80Gi"}}
    assert driver.runs_on("node-2")


def test_a_driver_may_run_on_some_nodes() -> None:
    driver = load_world(fixtures("worlds", "mixed.yaml")).drivers[0]

    assert driver.runs_on("gpu-node")
    assert not driver.runs_on("nic-node")


def test_an_empty_file_is_an_empty_world() -> None:
    assert parse_world("", "w.yaml").nodes == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(
            "nodes:\n- name: a\n  lables: {}\n",
            "w.yaml:3:3: nodes[0].lables: unknown field; did you mean 'labels'?",
            id="unknown-field",
        ),
        pytest.param(
            "drivers:\n- name: d\n",
            "w.yaml:2:3: drivers[0]: either 'count' or 'devices' must say which devices there are",
            id="no-devices",
        ),
        pytest.param(
            "drivers:\n- count: 2\n",
            "w.yaml:2:3: drivers[0]: field 'name' is missing",
            id="missing",
        ),
        pytest.param(
            "drivers:\n- name: d\n  count: many\n",
            "w.yaml:3:3: drivers[0].count: expected integer, found str",
            id="type",
        ),
        pytest.param(
            "nodes: [{name: a}, {name: a}]\n",
            "w.yaml:1:21: nodes[1].name: 'a' stands twice",
            id="twice",
        ),
        pytest.param(
            "nodes:\n- name: node-1\ndrivers:\n- name: d\n  count: 1\n  nodes: [node-2]\n",
            "w.yaml:6:11: drivers[0].nodes[0]: no node is called 'node-2'; did you mean 'node-1'?",
            id="unknown-node",
        ),
        pytest.param("nodes: [\n", "w.yaml:2:1: not YAML: ", id="no-yaml"),
        pytest.param(
            "objects:\n- apiVersion: v1\n  kind: Pot\n  metadata: {name: p}\n",
            "w.yaml:3:3: objects[0].kind: kind Pot of v1 is not served",
            id="unknown-kind",
        ),
        pytest.param("- a\n", "w.yaml:1:1: expected object, found list", id="a-list"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(WorldError) as caught:
        parse_world(text, "w.yaml")

    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="can't be read: No such file"):
        load_world(tmp_path / "none.yaml")


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(WorldError, match="not UTF-8"):
        load_world(path)
