"""The store: revisions, optimistic writes, and the window of its history."""

from __future__ import annotations

import asyncio

import pytest

from conformance.reference.store.history import Compacted
from conformance.reference.store.memory import Exists, Missing, Outdated, Store

KEY = ("ns", "a")


def thing(name: str = "a", **data: str) -> dict[str, object]:
    return {"metadata": {"name": name, "namespace": "ns"}, **data}


def test_every_change_takes_the_next_revision() -> None:
    store = Store()

    first = store.create("things", KEY, thing())
    second = store.update("things", KEY, thing(x="1"), first["metadata"]["resourceVersion"])
    last = store.delete("things", KEY)

    versions = [int(one["metadata"]["resourceVersion"]) for one in (first, second, last)]
    assert versions == [2, 3, 4]
    assert store.revision == 4


def test_the_last_change_of_each_resource_is_known() -> None:
    store = Store()

    store.create("things", KEY, thing())
    store.create("others", KEY, thing())
    assert (store.changed("things"), store.changed("others")) == (2, 3)
    store.delete("things", KEY)

    assert (store.changed("things"), store.changed("others")) == (4, 3)
    assert store.changed("more") == 0


def test_a_write_that_read_an_older_revision_is_refused() -> None:
    store = Store()
    first = store.create("things", KEY, thing())
    store.update("things", KEY, thing(x="1"), first["metadata"]["resourceVersion"])

    with pytest.raises(Outdated):
        store.update("things", KEY, thing(x="2"), first["metadata"]["resourceVersion"])

    kept = store.get("things", KEY)
    assert kept is not None
    assert kept["x"] == "1"


def test_a_key_is_there_once_or_not_at_all() -> None:
    store = Store()

    with pytest.raises(Missing):
        store.delete("things", KEY)
    with pytest.raises(Missing):
        store.update("things", KEY, thing(), "1")
    store.create("things", KEY, thing())
    with pytest.raises(Exists):
        store.create("things", KEY, thing())


def test_a_list_is_sorted_and_keeps_to_its_namespace() -> None:
    store = Store()
    for key in (("b", "1"), ("a", "2"), ("a", "1")):
        store.create("things", key, {"metadata": {"name": key[1], "namespace": key[0]}})

    everywhere = [(o["metadata"]["namespace"], o["metadata"]["name"]) for o in store.list("things")]

    assert everywhere == [("a", "1"), ("a", "2"), ("b", "1")]
    assert len(store.list("things", "a")) == 2


def test_a_subscription_begins_after_its_revision_and_stays_in_order() -> None:
    async def whole() -> list[tuple[str, int]]:
        store = Store()
        store.create("things", ("ns", "a"), thing("a"))
        subscription = store.subscribe("things", store.revision)
        store.create("things", ("ns", "b"), thing("b"))
        store.create("others", ("ns", "c"), thing("c"))
        store.delete("things", ("ns", "a"))
        return [(event.type, event.revision) for event in await subscription.next()]

    assert asyncio.run(whole()) == [("ADDED", 3), ("DELETED", 5)]


def test_a_revision_outside_the_window_is_compacted() -> None:
    store = Store(window=2)
    for name in "abc":
        store.create("things", ("ns", name), thing(name))

    with pytest.raises(Compacted):
        store.subscribe("things", 1)
    store.subscribe("things", 2)
    store.compact()
    with pytest.raises(Compacted):
        store.subscribe("things", 3)
    store.subscribe("things", store.revision)


def test_an_ended_subscription_gives_what_it_has_and_then_nothing() -> None:
    async def whole() -> tuple[int, int]:
        store = Store()
        subscription = store.subscribe("things", 1)
        store.create("things", KEY, thing())
        store.end()
        return len(await subscription.next()), len(await subscription.next())

    assert asyncio.run(whole()) == (1, 0)
