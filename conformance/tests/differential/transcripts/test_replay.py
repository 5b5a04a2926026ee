"""The reference holds every conversation as the real API server was recorded to."""

from __future__ import annotations

import pytest

from conformance.kube.objects import Object
from conformance.tests.differential.transcripts import comparing, record
from conformance.tests.differential.transcripts.normal import Symbols, shown
from conformance.tests.differential.transcripts.script import Script, fill

_SCRIPTS = record.everything()
_LEAST = 450


@pytest.mark.parametrize("script", _SCRIPTS, ids=lambda one: one.name)
def test_a_conversation_goes_as_recorded(script: Script) -> None:
    recorded, ours = record.recorded(script.name), comparing.ours(script)
    expected = [say for row in comparing.known() if row.script == script.name for say in row.say]

    different = comparing.differences(recorded, ours)
    answers = {row["say"]: row for row in ours}
    real = {row["say"]: row for row in recorded}
    surprising = [say for say in different if say not in expected][:3]

    assert [row["say"] for row in recorded] == [row["say"] for row in ours]
    assert {say: (real[say], answers[say]) for say in surprising} == {}
    # A row that is no longer needed must go.
    assert sorted(different) == sorted(expected)


def test_the_conversations_are_long_enough() -> None:
    assert sum(len(record.recorded(script.name)) for script in _SCRIPTS) >= _LEAST


def test_every_known_row_is_reasoned_and_about_a_script() -> None:
    names = {script.name for script in _SCRIPTS}

    assert [row for row in comparing.known() if not row.reason or row.script not in names] == []


def test_a_difference_is_seen() -> None:
    real: list[Object] = [{"say": "a", "code": 200}, {"say": "b", "code": 410}]

    assert comparing.differences(real, [real[0], {"say": "b", "code": 200}]) == ["b"]


def test_what_is_chance_has_a_name_and_what_is_not_stays() -> None:
    symbols = Symbols()
    uid, other = "0f7b6d7e-0c8a-4f1e-9b2a-0d6a1c2b3e4f", "1f7b6d7e-0c8a-4f1e-9b2a-0d6a1c2b3e4f"

    def answer(uid: str, revision: str) -> Object:
        meta = {
            "uid": uid,
            "resourceVersion": revision,
            "creationTimestamp": "2026-01-01T00:00:00Z",
        }
        return {
            "kind": "Pod",
            "metadata": meta,
            "spec": {"since": "2020-01-01T00:00:00Z", "n": "7"},
        }

    first, again, third = (
        symbols.normal(answer(*one)) for one in [(uid, "7"), (uid, "7"), (other, "9")]
    )

    assert first == again
    assert first["metadata"] == {
        "uid": "uid-1",
        "resourceVersion": "revision-1",
        "creationTimestamp": "time",
    }
    assert first["spec"] == {"since": "2020-01-01T00:00:00Z", "n": "7"}
    assert (third["metadata"]["uid"], third["metadata"]["resourceVersion"]) == (
        "uid-2",
        "revision-2",
    )


def test_places_are_filled_with_what_was_answered() -> None:
    known = {"ns": "x", "a": {"metadata": {"uid": "u", "n": 3}}}

    assert fill({"p": "/{ns}/{a.metadata.uid}", "n": "{a.metadata.n}"}, known) == {
        "p": "/x/u",
        "n": 3,
    }
    with pytest.raises(KeyError):
        fill("{a.metadata.surprise}", known)


def test_only_the_fields_that_are_asked_for_are_compared_but_a_refusal_is_whole() -> None:
    refusal: Object = {"code": 404, "body": {"kind": "Status", "code": 404}}

    assert shown({"code": 200, "body": {"a": {"b": 1}, "c": 2}}, ("a.b", "d")) == {
        "code": 200,
        "body": {"a.b": 1, "d": None},
    }
    assert shown(refusal, ("a.b",)) == refusal
