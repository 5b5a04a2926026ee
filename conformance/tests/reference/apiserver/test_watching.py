"""Watch: where it begins, what it sends, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from conformance.reference.apiserver import server
from conformance.reference.client.transport import Unreachable, WatchEvent
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, pod

MAPS = "/api/v1/namespaces/default/configmaps"


async def first(events: AsyncIterator[WatchEvent], count: int) -> list[WatchEvent]:
    taken: list[WatchEvent] = []
    async for event in events:
        taken.append(event)
        if len(taken) == count:
            break
    return taken


def spelled(events: list[WatchEvent]) -> list[tuple[str, str]]:
    return [(one.type, one.object["metadata"].get("name", "")) for one in events]


def test_a_watch_from_a_revision_sends_what_follows_it_in_order() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.create("configmaps", config_map("a"))
        since = made["metadata"]["resourceVersion"]
        await rig.client.create("configmaps", config_map("b"))
        await rig.client.update("configmaps", config_map("a", k="1"))
        await rig.client.delete("configmaps", "b", "default")

        events = await first(rig.client.watch(MAPS, {"resourceVersion": since}), 3)

        assert spelled(events) == [("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")]
        versions = [int(one.object["metadata"]["resourceVersion"]) for one in events]
        assert versions == sorted(versions)

    ask(question)


def test_a_watch_without_revision_begins_with_the_present_state() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))
        events = rig.client.watch(MAPS, {})
        begun = await first(events, 1)
        assert spelled(begun) == [("ADDED", "a")]

    ask(question)


def test_a_streamed_list_ends_with_its_bookmark() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))
        query = {
            "sendInitialEvents": "true",
            "resourceVersionMatch": "NotOlderThan",
            "allowWatchBookmarks": "true",
        }

        events = await first(rig.client.watch(MAPS, query), 2)

        assert spelled(events) == [("ADDED", "a"), ("BOOKMARK", "")]
        bookmark = events[1].object
        assert bookmark["kind"] == "ConfigMap"
        assert bookmark["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}
        assert bookmark["metadata"]["resourceVersion"] == str(rig.store.revision)

    ask(question)


def test_streaming_the_list_needs_its_match() -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(first(rig.client.watch(MAPS, {"sendInitialEvents": "true"}), 1))

        assert error.code == 422
        assert error.causes == [("resourceVersionMatch", "FieldValueForbidden")]

    ask(question)


def test_a_compacted_revision_is_expired() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.create("configmaps", config_map("a"))
        since = made["metadata"]["resourceVersion"]
        await rig.client.create("configmaps", config_map("b"))
        rig.store.compact()

        error = await rig.refused(first(rig.client.watch(MAPS, {"resourceVersion": since}), 1))

        assert (error.code, error.reason) == (410, "Expired")
        assert error.message == f"too old resource version: {since}"

    ask(question)


def test_a_revision_of_the_future_is_refused() -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(first(rig.client.watch(MAPS, {"resourceVersion": "999"}), 1))

        assert (error.code, error.reason) == (504, "Timeout")
        assert error.causes == [("", "ResourceVersionTooLarge")]

    ask(question)


def test_an_object_that_stops_matching_is_deleted_for_the_watcher() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("pods", pod("a"))
        await rig.client.create("pods", pod("b"))
        query = {"fieldSelector": "spec.nodeName=n", "resourceVersion": str(rig.store.revision)}
        watch = asyncio.ensure_future(first(rig.client.watch("/api/v1/pods", query), 2))
        for name in ("a", "b"):
            one = await rig.client.get("pods", name, "default")
            await rig.client.bind(one, "n" if name == "b" else "other")
        await rig.client.delete("pods", "b", "default", grace_period_seconds=0)

        assert spelled(await watch) == [("ADDED", "b"), ("DELETED", "b")]

    ask(question)


def test_a_label_that_is_taken_away_ends_the_view() -> None:
    async def question(rig: Rig) -> None:
        sent = config_map("a")
        sent["metadata"]["labels"] = {"in": "yes"}
        made = await rig.client.create("configmaps", sent)
        query = {"labelSelector": "in=yes", "resourceVersion": made["metadata"]["resourceVersion"]}
        await rig.client.update("configmaps", config_map("a", k="1"))

        events = await first(rig.client.watch(MAPS, query), 1)

        assert spelled(events) == [("DELETED", "a")]
        assert events[0].object["metadata"]["labels"] == {"in": "yes"}
        assert events[0].object["metadata"]["resourceVersion"] == str(rig.store.revision)

    ask(question)


def test_a_watch_ends_at_its_timeout_with_a_bookmark() -> None:
    async def question(rig: Rig) -> None:
        query = {
            "resourceVersion": str(rig.store.revision),
            "timeoutSeconds": "30",
            "allowWatchBookmarks": "true",
        }
        seen: list[WatchEvent] = []

        async def whole() -> None:
            seen.extend([event async for event in rig.client.watch(MAPS, query)])

        watch = asyncio.ensure_future(whole())
        await rig.clock.settle()
        assert not watch.done()
        await rig.clock.step(60)
        await watch

        assert [one.type for one in seen] == ["BOOKMARK"]
        assert rig.clock.monotonic() == 30

    ask(question)


def test_a_watcher_that_leaves_is_forgotten() -> None:
    async def question(rig: Rig) -> None:
        subscriptions: Any = rig.store._histories["/configmaps"]._subscriptions
        watch = asyncio.ensure_future(
            first(rig.client.watch(MAPS, {"resourceVersion": str(rig.store.revision)}), 1)
        )
        await rig.clock.settle()
        assert len(subscriptions) == 1

        watch.cancel()
        await asyncio.wait([watch])
        for _ in range(100):
            await asyncio.sleep(0)

        assert not subscriptions

    ask(question)


def test_a_server_that_goes_cuts_watches_and_does_not_wait_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "GRACE", 600.0)

    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))
        events = rig.client.watch(MAPS, {})
        assert spelled([await anext(events)]) == [("ADDED", "a")]

        await asyncio.wait_for(rig.server.pause(), 60)

        with pytest.raises(Unreachable):
            await anext(events)
        await rig.server.resume()
        answer = await rig.client.get("configmaps", "a", "default")
        assert answer["metadata"]["name"] == "a"

    ask(question)
