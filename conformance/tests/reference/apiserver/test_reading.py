"""Lists: selectors, pages and forms."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.reference.apiserver.http.negotiation import choose
from conformance.reference.client.paths import path_of
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, named, pod

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"


async def _with_accept(rig: Rig, path: str, accept: str) -> Any:
    session = rig.client._open()
    async with session.get(rig.url + path, headers={"Accept": accept}) as response:
        return await response.json()


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        pytest.param("colour=red", ["a", "c"], id="equal"),
        pytest.param("colour!=red", ["b", "d"], id="not equal or absent"),
        pytest.param("colour in (blue,red),size", ["a"], id="in and exists"),
        pytest.param("!colour", ["d"], id="absent"),
    ],
)
def test_labels_select(selector: str, names: list[str]) -> None:
    async def question(rig: Rig) -> None:
        rows: dict[str, dict[str, str]] = {
            "a": {"colour": "red", "size": "1"},
            "b": {"colour": "blue"},
            "c": {"colour": "red"},
            "d": {},
        }
        for name, labels in rows.items():
            sent = config_map(name)
            sent["metadata"]["labels"] = labels
            await rig.client.create("configmaps", sent)

        items, _ = await rig.client.list("configmaps", "default", label_selector=selector)

        assert [one["metadata"]["name"] for one in items] == names

    ask(question)


def test_fields_select_where_there_is_an_index() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("pods", pod("a", nodeName="n"))
        await rig.client.create("pods", pod("b"))

        bound, _ = await rig.client.list("pods", field_selector="spec.nodeName=n")
        free, _ = await rig.client.list("pods", field_selector="spec.nodeName!=n")
        error = await rig.refused(rig.client.list("pods", field_selector="spec.foo=x"))

        assert [one["metadata"]["name"] for one in (*bound, *free)] == ["a", "b"]
        assert (error.code, error.message) == (400, "field label not supported: spec.foo")

    ask(question)


def test_a_schedulable_node_is_found_by_a_field_that_it_lacks() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("nodes", named("Node", "n"))

        items, _ = await rig.client.list("nodes", field_selector="spec.unschedulable=false")

        assert len(items) == 1

    ask(question)


def test_a_list_is_read_in_pages() -> None:
    async def question(rig: Rig) -> None:
        for name in "abcde":
            await rig.client.create("configmaps", config_map(name))
        path = path_of("configmaps", "default")

        names: list[str] = []
        query, remaining = {"limit": "2"}, []
        while True:
            page = await rig.client.request("GET", path, query=query)
            names += [one["metadata"]["name"] for one in page["items"]]
            remaining.append(page["metadata"].get("remainingItemCount"))
            if "continue" not in page["metadata"]:
                break
            query = {"limit": "2", "continue": page["metadata"]["continue"]}

        assert names == list("abcde")
        assert remaining == [3, 1, None]
        wrong = await rig.refused(rig.client.request("GET", path, query={"continue": "%%"}))
        assert wrong.code == 400

    ask(question)


def test_a_list_has_its_own_kind_and_revision() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))

        answer = await rig.client.request("GET", path_of("configmaps"))

        assert (answer["kind"], answer["apiVersion"]) == ("ConfigMapList", "v1")
        assert answer["metadata"]["resourceVersion"] == str(rig.store.revision)
        assert "kind" not in answer["items"][0]

    ask(question)


def test_a_table_is_what_kubectl_prints() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod()

        table = await _with_accept(rig, path_of("pods", "default"), TABLE)

        assert table["kind"] == "Table"
        names = [column["name"] for column in table["columnDefinitions"]]
        assert names == ["Name", "Ready", "Status", "Restarts", "Age"]
        assert table["rows"][0]["cells"] == ["p", "0/1", "Pending", "0", "0s"]
        assert table["rows"][0]["object"]["kind"] == "PartialObjectMetadata"

    ask(question)


def test_metadata_alone_can_be_asked_for() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod()
        accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"

        answer = await _with_accept(rig, path_of("pods", "default"), accept)

        assert answer["kind"] == "PartialObjectMetadataList"
        assert "spec" not in answer["items"][0]

    ask(question)


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        pytest.param("", "", id="nothing asked"),
        pytest.param("*/*", "", id="anything"),
        pytest.param("application/vnd.kubernetes.protobuf,application/json", "", id="client-go"),
        pytest.param(TABLE, "Table", id="kubectl get"),
        pytest.param(
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
            "PartialObjectMetadata",
            id="metadata client",
        ),
    ],
)
def test_the_form_of_an_answer_is_the_first_that_fits(accept: str, form: str) -> None:
    assert choose(accept).form == form
