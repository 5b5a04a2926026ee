"""Delete: preconditions, finalizers, the grace of Pods, and namespaces."""

from __future__ import annotations

from conformance.reference.client.paths import path_of
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, named


async def _is_gone(rig: Rig, plural: str, name: str, namespace: str | None = "default") -> bool:
    error = await rig.refused(rig.client.get(plural, name, namespace))
    return error.code == 404


def test_a_precondition_that_fails_keeps_the_object() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.create("configmaps", config_map("a"))
        meta = made["metadata"]

        wrong = await rig.refused(rig.client.delete("configmaps", "a", "default", uid="x"))
        old = await rig.refused(
            rig.client.delete("configmaps", "a", "default", resource_version="1")
        )
        await rig.client.delete(
            "configmaps",
            "a",
            "default",
            uid=meta["uid"],
            resource_version=meta["resourceVersion"],
        )

        assert [wrong.code, old.code] == [409, 409]
        assert f"UID in object meta: {meta['uid']}" in wrong.message
        assert await _is_gone(rig, "configmaps", "a")

    ask(question)


def test_an_object_with_a_finalizer_waits_for_its_removal() -> None:
    async def question(rig: Rig) -> None:
        sent = config_map("a")
        sent["metadata"]["finalizers"] = ["example.com/keep"]
        await rig.client.create("configmaps", sent)

        marked = await rig.client.delete("configmaps", "a", "default")
        added = {"metadata": {"finalizers": ["example.com/keep", "example.com/more"]}}
        refused = await rig.refused(rig.client.patch("configmaps", "a", added, "default"))
        assert marked["metadata"]["deletionTimestamp"] == "2026-01-01T00:00:00Z"
        assert ("metadata.finalizers", "FieldValueForbidden") in refused.causes

        await rig.client.patch("configmaps", "a", {"metadata": {"finalizers": None}}, "default")
        assert await _is_gone(rig, "configmaps", "a")

    ask(question)


def test_a_pod_without_node_goes_at_once() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod()

        await rig.client.delete("pods", "p", "default")

        assert await _is_gone(rig, "pods", "p")

    ask(question)


def test_a_bound_pod_has_its_grace_until_the_kubelet_ends_it() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod(nodeName="n")

        marked = await rig.client.delete("pods", "p", "default")
        shorter = await rig.client.delete("pods", "p", "default", grace_period_seconds=5)
        longer = await rig.client.delete("pods", "p", "default", grace_period_seconds=60)
        assert marked["metadata"]["deletionTimestamp"] == "2026-01-01T00:00:30Z"
        assert marked["metadata"]["deletionGracePeriodSeconds"] == 30
        assert shorter["metadata"]["deletionGracePeriodSeconds"] == 5
        assert longer["metadata"]["deletionGracePeriodSeconds"] == 5

        await rig.client.delete("pods", "p", "default", grace_period_seconds=0)
        assert await _is_gone(rig, "pods", "p")

    ask(question)


def test_a_pod_that_ended_needs_no_grace() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod(nodeName="n")
        body = {"status": {"phase": "Succeeded"}}
        await rig.client.patch("pods", "p", body, "default", subresource="status")

        await rig.client.delete("pods", "p", "default")

        assert await _is_gone(rig, "pods", "p")

    ask(question)


def test_an_eviction_deletes() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod()
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}

        await rig.client.create("pods", body, "default", "eviction", "p")

        assert await _is_gone(rig, "pods", "p")

    ask(question)


def test_a_namespace_takes_its_contents_with_it() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("namespaces", named("Namespace", "ns"))
        await rig.client.create("configmaps", named("ConfigMap", "a", "ns"))
        kept = named("ConfigMap", "b", "ns")
        kept["metadata"]["finalizers"] = ["example.com/keep"]
        await rig.client.create("configmaps", kept)

        marked = await rig.client.delete("namespaces", "ns")
        refused = await rig.refused(rig.client.create("configmaps", named("ConfigMap", "c", "ns")))
        assert marked["status"]["phase"] == "Terminating"
        assert await _is_gone(rig, "configmaps", "a", "ns")
        assert refused.code == 403
        assert refused.causes == [("metadata.namespace", "NamespaceTerminating")]

        await rig.client.patch("configmaps", "b", {"metadata": {"finalizers": []}}, "ns")
        assert await _is_gone(rig, "namespaces", "ns", None)

    ask(question)


def test_a_collection_is_deleted_by_selector() -> None:
    async def question(rig: Rig) -> None:
        for name, colour in (("a", "red"), ("b", "blue"), ("c", "red")):
            sent = config_map(name)
            sent["metadata"]["labels"] = {"colour": colour}
            await rig.client.create("configmaps", sent)

        await rig.client.request(
            "DELETE", path_of("configmaps", "default"), query={"labelSelector": "colour=red"}
        )

        items, _ = await rig.client.list("configmaps", "default")
        assert [one["metadata"]["name"] for one in items] == ["b"]

    ask(question)
