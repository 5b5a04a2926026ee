"""The informer: a copy that follows the server over a real socket, whatever happens to it."""

from __future__ import annotations

import asyncio

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.client.informer import Informer
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, pod


class Seen:
    """The events that an informer told of."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.olds: list[Object | None] = []

    def __call__(self, kind: str, obj: Object, old: Object | None) -> None:
        """Take an event, in the shape of ``OnEvent``."""
        self.events.append((kind, obj["metadata"]["name"]))
        self.olds.append(old)


def test_the_copy_follows_every_change() -> None:
    async def question(rig: Rig) -> None:
        seen = Seen()
        await rig.client.create("configmaps", config_map("a"))
        informer = Informer(rig.client, "configmaps", on_event=seen)
        await informer.synced()
        assert informer.keys() == ["default/a"]

        await rig.client.create("configmaps", config_map("b"))
        await rig.client.update("configmaps", config_map("a", k="1"))
        await rig.client.delete("configmaps", "b", "default")
        await rig.clock.settle()

        assert seen.events == [("ADDED", "a"), ("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")]
        assert seen.olds[2] is not None
        kept = informer.get("default/a")
        assert kept is not None
        assert (kept["kind"], kept["data"]) == ("ConfigMap", {"k": "1"})
        await informer.stop()

    ask(question)


def test_fields_narrow_the_copy() -> None:
    async def question(rig: Rig) -> None:
        informer = Informer(rig.client, "pods", field_selector="spec.nodeName=n")
        await informer.synced()

        await rig.client.create("pods", pod("a", nodeName="n"))
        await rig.client.create("pods", pod("b", nodeName="m"))
        await rig.clock.settle()

        assert [one["metadata"]["name"] for one in informer.values()] == ["a"]
        await informer.stop()

    ask(question)


def test_what_happens_during_an_outage_is_learned_after_it() -> None:
    async def question(rig: Rig) -> None:
        seen = Seen()
        await rig.client.create("configmaps", config_map("a"))
        await rig.client.create("configmaps", config_map("b"))
        informer = Informer(rig.client, "configmaps", on_event=seen)
        await informer.synced()
        await rig.clock.settle()

        # The server ends the watch, and history is gone by the time the informer is back.
        rig.store.end()
        await rig.client.delete("configmaps", "a", "default")
        await rig.client.create("configmaps", config_map("c"))
        rig.store.compact()
        await rig.clock.settle()

        assert informer.keys() == ["default/b", "default/c"]
        assert seen.events[2:] == [("DELETED", "a"), ("ADDED", "c")]
        await informer.stop()

    ask(question)


def test_a_server_that_comes_late_is_waited_for() -> None:
    async def question(rig: Rig) -> None:
        port = rig.url.rpartition(":")[2]
        gone = ApiClient("http://127.0.0.1:1", "", clock=rig.clock)
        informer = Informer(gone, "configmaps")
        informer.start()
        await rig.clock.settle()
        gone.base_url = f"http://127.0.0.1:{port}"

        await rig.clock.step(5)

        await asyncio.wait_for(informer.synced(), 5)
        await informer.stop()
        await gone.close()

    ask(question)


def test_an_answer_that_is_no_status_is_an_error_all_the_same() -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.request("GET", "/nothing"))

        assert isinstance(error, StatusError)
        assert (error.code, error.message) == (404, "404 page not found")

    ask(question)
