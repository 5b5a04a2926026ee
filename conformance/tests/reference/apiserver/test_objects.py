"""Create, read, update: metadata, optimistic concurrency, and what is refused."""

from __future__ import annotations

import asyncio

import pytest

from conformance.kube.objects import Object
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, named, pod


def test_a_created_object_has_what_the_server_sets() -> None:
    async def question(rig: Rig) -> None:
        sent = config_map("a", k="v")
        sent["metadata"] |= {"uid": "mine", "creationTimestamp": "2000-01-01T00:00:00Z"}

        made = await rig.client.create("configmaps", sent)

        meta = made["metadata"]
        assert meta["creationTimestamp"] == "2026-01-01T00:00:00Z"
        assert len(meta["uid"]) == 36
        assert made == await rig.client.get("configmaps", "a", "default")

    ask(question)


def test_a_generated_name_has_its_prefix_and_five_letters() -> None:
    async def question(rig: Rig) -> None:
        sent: Object = {"metadata": {"generateName": "web-"}, "data": {}}

        made = await rig.client.create("configmaps", sent, "default")

        assert made["metadata"]["name"].startswith("web-")
        assert len(made["metadata"]["name"]) == len("web-") + 5

    ask(question)


def test_a_name_that_is_taken_is_a_conflict() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))

        error = await rig.refused(rig.client.create("configmaps", config_map("a")))

        assert (error.code, error.reason) == (409, "AlreadyExists")
        assert error.message == 'configmaps "a" already exists'
        assert error.details == {"name": "a", "kind": "configmaps"}

    ask(question)


def test_an_update_of_an_older_revision_is_a_conflict() -> None:
    async def question(rig: Rig) -> None:
        first = await rig.client.create("configmaps", config_map("a"))
        await rig.client.update("configmaps", {**first, "data": {"k": "1"}})

        error = await rig.refused(rig.client.update("configmaps", {**first, "data": {"k": "2"}}))

        assert (error.code, error.reason) == (409, "Conflict")
        assert error.message == (
            'Operation cannot be fulfilled on configmaps "a": the object has been modified; '
            "please apply your changes to the latest version and try again"
        )

    ask(question)


def test_an_update_without_revision_or_with_news_alone_is_stored() -> None:
    async def question(rig: Rig) -> None:
        first = await rig.client.create("configmaps", config_map("a", k="1"))

        same = await rig.client.update("configmaps", config_map("a", k="1"))
        other = await rig.client.update("configmaps", config_map("a", k="2"))

        assert same["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]
        assert other["metadata"]["resourceVersion"] > first["metadata"]["resourceVersion"]
        assert other["metadata"]["uid"] == first["metadata"]["uid"]

    ask(question)


def test_an_update_for_another_uid_is_a_conflict() -> None:
    async def question(rig: Rig) -> None:
        first = await rig.client.create("configmaps", config_map("a"))
        first["metadata"]["uid"] = "other"

        error = await rig.refused(rig.client.update("configmaps", first))

        assert error.code == 409
        assert "Precondition failed: UID in precondition: other" in error.message

    ask(question)


def test_a_dry_run_answers_and_stores_nothing() -> None:
    async def question(rig: Rig) -> None:
        path = "/api/v1/namespaces/default/configmaps"

        made = await rig.client.request("POST", path, body=config_map("a"), query={"dryRun": "All"})

        assert made["metadata"]["uid"]
        error = await rig.refused(rig.client.get("configmaps", "a", "default"))
        assert error.message == 'configmaps "a" not found'

    ask(question)


@pytest.mark.parametrize(
    ("meta", "field", "reason"),
    [
        pytest.param({"name": "Upper"}, "metadata.name", "FieldValueInvalid", id="bad name"),
        pytest.param({}, "metadata.name", "FieldValueRequired", id="no name"),
        pytest.param(
            {"name": "a", "labels": {"k": "a b"}},
            "metadata.labels",
            "FieldValueInvalid",
            id="label",
        ),
        pytest.param(
            {"name": "a", "finalizers": ["a b"]},
            "metadata.finalizers[0]",
            "FieldValueInvalid",
            id="finalizer",
        ),
        pytest.param(
            {"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p"}]},
            "metadata.ownerReferences[0].uid",
            "FieldValueRequired",
            id="owner without uid",
        ),
    ],
)
def test_wrong_metadata_is_a_cause(meta: Object, field: str, reason: str) -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.create("configmaps", {"metadata": meta}, "default"))

        assert (error.code, error.reason) == (422, "Invalid")
        assert (field, reason) in error.causes

    ask(question)


def test_nothing_is_created_in_a_namespace_that_is_not_there() -> None:
    async def question(rig: Rig) -> None:
        sent = named("ConfigMap", "a", "nowhere")

        error = await rig.refused(rig.client.create("configmaps", sent))

        assert (error.code, error.message) == (404, 'namespaces "nowhere" not found')

    ask(question)


def test_a_status_write_changes_the_status_alone() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod()
        wish = pod(schedulerName="other")
        wish["status"] = {"phase": "Running"}

        written = await rig.client.update_status("pods", wish)
        again = await rig.client.patch("pods", "p", {"status": {"phase": "Failed"}}, "default")

        assert written["status"]["phase"] == "Running"
        assert written["spec"]["schedulerName"] == "default-scheduler"
        assert again["status"]["phase"] == "Running"

    ask(question)


def test_of_many_writers_with_one_revision_one_wins() -> None:
    async def question(rig: Rig) -> None:
        first = await rig.client.create("configmaps", config_map("a"))
        writes = [
            rig.client.update("configmaps", {**first, "data": {"k": str(number)}})
            for number in range(8)
        ]

        results = await asyncio.gather(*writes, return_exceptions=True)

        assert sum(1 for one in results if isinstance(one, dict)) == 1

    ask(question)
