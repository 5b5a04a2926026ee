"""The reference answers as the real API server was recorded to."""

from __future__ import annotations

import pytest

from conformance.kube.objects import Object
from conformance.tests.differential.api import comparing, pairs, record
from conformance.tests.differential.api.mutations import mutations

_LEAST = {"default": 5600, "alpha": 11900}


@pytest.mark.parametrize("gates", record.GATES)
def test_every_recorded_answer_is_given(gates: str) -> None:
    recorded, ours = record.recorded(gates), comparing.ours(gates)
    rows = comparing.known()

    different = comparing.differences(recorded, ours)
    surprising = [id_ for id_ in different if not any(row.covers(id_) for row in rows)]

    assert len(recorded) >= _LEAST[gates]
    assert recorded.keys() == ours.keys()
    assert {id_: (recorded[id_], ours[id_]) for id_ in surprising[:5]} == {}
    # What is known to differ must do so: a row that is no longer needed must go.
    assert [i for i in recorded if i not in different and any(r.covers(i) for r in rows)] == []


def test_every_known_row_is_needed_and_reasoned() -> None:
    rows = comparing.known()
    writes = [w.id for gates in record.GATES for base in pairs.bases(gates) for w in base.asked()]

    assert [row for row in rows if not row.reason or not any(map(row.covers, writes))] == []


@pytest.mark.parametrize("gates", record.GATES)
def test_the_recordings_are_of_these_writes(gates: str) -> None:
    writes = {w.id: w.digest() for base in pairs.bases(gates) for w in base.asked()}

    assert {id_: answer["sent"] for id_, answer in record.recorded(gates).items()} == writes


def test_a_difference_is_seen() -> None:
    real: dict[str, Object] = {"a": {"code": 201}, "b": {"code": 422, "causes": [["f", "r"]]}}

    assert comparing.differences(real, {**real, "b": {"code": 422, "causes": []}}) == ["b"]


def test_a_mutation_changes_one_place_and_leaves_the_original() -> None:
    original = {"spec": {"count": 1}}

    changed = dict(mutations(original, ("spec", "count")))

    assert changed["drop spec.count"] == {"spec": {}}
    assert changed["negative spec.count"] == {"spec": {"count": -1}}
    assert original == {"spec": {"count": 1}}
