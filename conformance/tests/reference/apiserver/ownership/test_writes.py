"""Who owns what after a write; what a real server answers stands in the transcripts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.ownership import managers, paths, types, writes
from conformance.reference.apiserver.ownership.managers import Manager
from conformance.reference.apiserver.ownership.merging import merge
from conformance.reference.apiserver.ownership.paths import OwnershipError
from conformance.reference.apiserver.ownership.types import Kind, Type
from conformance.reference.apiserver.ownership.walking import fields_of
from conformance.reference.apiserver.ownership.writes import Scope

_CLAIM = "resource.k8s.io/v1"
_T = "2030-01-01T00:00:00Z"


def type_of(version: str = _CLAIM, kind: str = "ResourceClaim") -> Type:
    """Return the type of a kind, which must be known."""
    found = types.of_kind(version, kind)
    assert found is not None
    return found


def device(driver: str, **rest: Any) -> Object:
    """Return the status of one device."""
    return {"driver": driver, "pool": "p", "device": "d", **rest}


def scope() -> Scope:
    """Return the scope of a write to the main resource of a claim."""
    return Scope(
        api_version=_CLAIM,
        reset=(),
        type_in=lambda version: types.of_kind(version, "ResourceClaim"),
        convert=lambda obj, _: obj,
    )


def apply(live: Object, labels: dict[str, str], name: str, *, force: bool = False) -> Object:
    """Let a manager apply labels."""
    manager = writes.manager_of(name, _CLAIM, "", applies=True)
    return writes.applied(scope(), live, {"metadata": {"labels": labels}}, manager, _T, force=force)


_EMPTY: Object = {"apiVersion": _CLAIM, "kind": "ResourceClaim", "metadata": {}}


@pytest.mark.parametrize(
    ("current", "applied", "merged"),
    [
        pytest.param(
            {"status": {"devices": [device("a", data={"x": 1})]}},
            {"status": {"devices": [device("b", data={"y": 2})]}},
            {"status": {"devices": [device("a", data={"x": 1}), device("b", data={"y": 2})]}},
            id="devices of two drivers",
        ),
        pytest.param(
            {"status": {"devices": [device("a", data={"x": 1})]}},
            {"status": {"devices": [device("a", data={"y": 2})]}},
            {"status": {"devices": [device("a", data={"y": 2})]}},
            id="free data is owned as a whole",
        ),
        pytest.param(
            {"status": {"reservedFor": [{"uid": "1", "name": "a"}]}},
            {"status": {"reservedFor": [{"uid": "2", "name": "b"}]}},
            {"status": {"reservedFor": [{"uid": "1", "name": "a"}, {"uid": "2", "name": "b"}]}},
            id="reservations",
        ),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "a"}]}}},
            {"spec": {"devices": {"requests": [{"name": "b"}]}}},
            {"spec": {"devices": {"requests": [{"name": "b"}]}}},
            id="requests are owned as a whole",
        ),
        pytest.param(
            {"metadata": {"finalizers": ["a", "x"]}},
            {"metadata": {"finalizers": ["b", "a"]}},
            {"metadata": {"finalizers": ["b", "a", "x"]}},
            id="finalizers in the applied order",
        ),
    ],
)
def test_an_applied_object_is_merged(current: Object, applied: Object, merged: Object) -> None:
    assert merge(current, applied, type_of()) == merged


def test_the_second_manager_of_another_value_is_told_of_the_first() -> None:
    live = apply(_EMPTY, {"a": "1", "b": "1"}, "one")

    with pytest.raises(StatusError) as refused:
        apply(live, {"a": "2", "b": "1"}, "two")

    assert refused.value.code == 409
    assert [row["field"] for row in refused.value.details["causes"]] == [".metadata.labels.a"]


def test_force_takes_a_field_and_leaves_the_rest() -> None:
    live = apply(apply(_EMPTY, {"a": "1", "b": "1"}, "one"), {"a": "2"}, "two", force=True)

    owners = managers.decode(live["metadata"]["managedFields"])

    assert live["metadata"]["labels"] == {"a": "2", "b": "1"}
    assert {manager.name: sorted(entry.paths) for manager, entry in owners.items()} == {
        "one": [("f:metadata", "f:labels", "f:b")],
        "two": [("f:metadata", "f:labels", "f:a")],
    }


def test_what_an_applier_leaves_out_goes_unless_somebody_else_owns_it() -> None:
    live = apply(_EMPTY, {"mine": "1", "ours": "1"}, "one")
    live = apply(live, {"ours": "1"}, "two")

    left = apply(live, {}, "one")

    assert left["metadata"]["labels"] == {"ours": "1"}


def test_the_eleventh_updater_joins_the_oldest() -> None:
    owned = frozenset({("f:metadata", "f:labels", "f:a")})
    managed = {
        Manager(name=f"u{number:02}", api_version=_CLAIM): managers.Entry(
            paths=owned, api_version=_CLAIM, time=f"2030-01-01T00:00:{number:02}Z"
        )
        for number in range(12)
    }

    names = [manager.name for manager in managers.capped(managed)]

    assert len(names) == 10
    assert "ancient-changes" in names
    assert not {"u00", "u01", "u02"} & set(names)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param([], id="no object"),
        pytest.param({"f:a": 1}, id="no object below"),
        pytest.param({"x:a": {}}, id="an unknown element"),
        pytest.param({"k:{": {}}, id="no JSON"),
    ],
)
def test_what_is_no_set_of_fields_is_refused(fields: Any) -> None:
    with pytest.raises(OwnershipError):
        paths.decode(fields)


_NAMES = st.sampled_from(["f:a", "f:b", 'k:{"name":"x"}', 'v:"y"', 'v:"\\u003c\\u0026"'])
_PATHS = st.frozensets(st.lists(_NAMES, min_size=1, max_size=4).map(tuple), max_size=8)


@given(_PATHS)
def test_a_set_of_fields_survives_its_spelling(fields: frozenset[tuple[str, ...]]) -> None:
    whole = frozenset(paths.decode(paths.encode(fields)))

    assert whole == frozenset(paths.decode(paths.encode(whole)))
    assert {paths.spell(path) for path in whole} == {paths.spell(path) for path in fields}


_LABELS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("12"), min_size=1)


@given(st.lists(st.tuples(st.sampled_from(["one", "two", "three"]), _LABELS), max_size=6))
def test_every_owned_field_is_there_and_applying_again_changes_nothing(
    writes_: list[tuple[str, dict[str, str]]],
) -> None:
    live = _EMPTY
    for name, labels in writes_:
        live = apply(live, labels, name, force=True)
        present = fields_of(live, type_of())
        owned = managers.decode(live["metadata"]["managedFields"])

        assert [path for entry in owned.values() for path in entry.paths - present] == []
        assert apply(live, labels, name, force=False) == live


def test_lists_are_known_by_the_keys_that_upstream_names() -> None:
    status = type_of().fields["status"]

    assert status.fields["devices"].keys == ("driver", "device", "pool", "shareID")
    assert status.fields["reservedFor"].keys == ("uid",)
    assert status.fields["allocation"].fields["nodeSelector"].is_atomic
    assert type_of().fields["metadata"].fields["finalizers"].kind is Kind.LIST
