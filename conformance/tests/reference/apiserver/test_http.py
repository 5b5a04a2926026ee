"""Paths, methods, tokens and media types: what is refused, and how."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from conformance.kube.status import StatusError
from conformance.reference.apiserver.authorization.attributes import Attributes, Decision
from conformance.reference.client.api import (
    APPLY_PATCH,
    JSON_PATCH,
    STRATEGIC_MERGE_PATCH,
    ApiClient,
)
from conformance.reference.client.paths import path_of
from conformance.reference.faults.seams import Faults
from conformance.tests.reference.apiserver.rig import Rig, ask, config_map, serving

MAPS = path_of("configmaps", "default")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/foos",
        "/apis/resource.k8s.io/v7/resourceclaims",
        "/api/v1/pods/p/nothing/else",
    ],
)
def test_a_resource_that_a_group_does_not_serve(path: str) -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.request("GET", path))

        assert (error.code, error.reason) == (404, "NotFound")

    ask(question)


@pytest.mark.parametrize("path", ["/apis/example.com/v1/things", "/nothing"])
def test_a_path_that_nothing_is_served_at(path: str) -> None:
    async def question(rig: Rig) -> None:
        assert await rig.client.text("GET", path) == (404, "404 page not found\n")

    ask(question)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param("PUT", MAPS, id="update of a collection"),
        pytest.param("POST", f"{MAPS}/a", id="create at a name"),
        pytest.param("POST", path_of("configmaps"), id="create in no namespace"),
        pytest.param("DELETE", path_of("pods", "default", "p", "status"), id="delete of a status"),
        pytest.param("GET", path_of("pods", "default", "p", "binding"), id="get of a binding"),
    ],
)
def test_a_method_that_is_not_there(method: str, path: str) -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.request(method, path, body={}))

        assert (error.code, error.reason) == (405, "MethodNotAllowed")

    ask(question)


def test_a_wrong_token_is_unauthorized_and_health_is_ok() -> None:
    async def question(rig: Rig) -> None:
        async with ApiClient(rig.url, "wrong", clock=rig.clock) as stranger:
            error = await rig.refused(stranger.get("namespaces", "default"))
        assert (error.code, error.reason) == (401, "Unauthorized")

        for path in ("/healthz", "/readyz", "/livez"):
            assert await rig.client.text("GET", path) == (200, "ok")

    ask(question)


def test_a_review_names_the_user_and_allows() -> None:
    async def question(rig: Rig) -> None:
        root = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
        access = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

        who = await rig.client.request("POST", root, body={})
        may = await rig.client.request("POST", access, body={"spec": {}})

        assert who["status"]["userInfo"]["username"] == "admin"
        assert may["status"]["allowed"] is True

    ask(question)


@pytest.mark.parametrize(
    ("content_type", "body", "code"),
    [
        pytest.param("text/csv", {}, 415, id="unknown media type"),
        pytest.param("application/vnd.kubernetes.protobuf", {}, 400, id="no protobuf"),
        pytest.param("application/json", [], 400, id="no object"),
        pytest.param("application/json", {"kind": "Pod", "apiVersion": "v1"}, 400, id="kind"),
        pytest.param("application/json", {"data": {"k": 1}}, 400, id="wrong type"),
    ],
)
def test_a_body_that_cannot_be_read(content_type: str, body: Any, code: int) -> None:
    async def question(rig: Rig) -> None:
        error = await rig.refused(
            rig.client.request("POST", MAPS, body=body, content_type=content_type)
        )

        assert error.code == code

    ask(question)


def test_a_name_or_namespace_that_differs_from_the_path() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))

        wrong_name = await rig.refused(rig.client.request("PUT", f"{MAPS}/a", body=config_map("b")))
        wrong_namespace = await rig.refused(
            rig.client.request("POST", path_of("configmaps", "other"), body=config_map("b"))
        )

        assert (wrong_name.code, wrong_namespace.code) == (400, 400)

    ask(question)


def test_unknown_fields_are_pruned_warned_of_or_refused() -> None:
    async def question(rig: Rig) -> None:
        sent = {**config_map("a"), "dta": {}}
        session = rig.client._open()

        async with session.post(rig.url + MAPS, json=sent) as response:
            made, warning = await response.json(), response.headers["Warning"]
        error = await rig.refused(
            rig.client.request("POST", MAPS, body=sent, query={"fieldValidation": "Strict"})
        )

        assert "dta" not in made
        assert warning == '299 - "unknown field \\"dta\\""'
        assert error.message == (
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: '
            'strict decoding error: unknown field "dta"'
        )

    ask(question)


def test_patches_of_every_kind() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a", k="1", gone="x"))
        client = rig.client

        await client.patch("configmaps", "a", {"data": {"gone": None}}, "default")
        operations = [{"op": "replace", "path": "/data/k", "value": "2"}]
        await client.patch("configmaps", "a", operations, "default", content_type=JSON_PATCH)
        labels = {"metadata": {"labels": {"x": "y"}}}
        done = await client.patch(
            "configmaps", "a", labels, "default", content_type=STRATEGIC_MERGE_PATCH
        )

        assert done["data"] == {"k": "2"}
        assert done["metadata"]["labels"] == {"x": "y"}

    ask(question)


def test_an_apply_creates_and_then_replaces_what_the_manager_owns() -> None:
    async def question(rig: Rig) -> None:
        first = await rig.client.patch(
            "configmaps", "a", config_map("a", k="1"), "default", content_type=APPLY_PATCH
        )
        second = await rig.client.patch(
            "configmaps", "a", config_map("a", m="2"), "default", content_type=APPLY_PATCH
        )

        assert first["data"] == {"k": "1"}
        assert second["data"] == {"m": "2"}

    ask(question)


@pytest.mark.parametrize(
    ("content_type", "document", "code"),
    [
        pytest.param(JSON_PATCH, [{"op": "test", "path": "/data/k", "value": "9"}], 422, id="test"),
        pytest.param(JSON_PATCH, {"op": "test"}, 400, id="shape"),
        pytest.param("application/json", {}, 415, id="media type"),
        pytest.param(
            "application/merge-patch+json", {"metadata": {"resourceVersion": "1"}}, 409, id="old"
        ),
    ],
)
def test_a_patch_that_does_not_apply(content_type: str, document: Any, code: int) -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a", k="1"))

        error = await rig.refused(
            rig.client.patch("configmaps", "a", document, "default", content_type=content_type)
        )

        assert error.code == code

    ask(question)


def test_a_body_of_more_than_a_mebibyte_is_read() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.create("configmaps", config_map("a", k="x" * 1_500_000))
        assert len(made["data"]["k"]) == 1_500_000

        error = await rig.refused(
            rig.client.create("configmaps", config_map("b", k="x" * 4_000_000))
        )
        assert (error.code, error.reason) == (413, "RequestEntityTooLarge")

    ask(question)


def test_a_taken_port_is_an_error_of_the_system() -> None:
    async def question(rig: Rig) -> None:
        with pytest.raises(OSError, match="address already in use"):
            async with serving(port=int(rig.url.rpartition(":")[2])):
                pass

    ask(question)


def no_list(real: Any, asked: Attributes) -> Decision:
    return Decision(allowed=False) if asked.verb == "list" else real(asked)


def test_a_user_who_may_not_is_forbidden() -> None:
    faults = Faults({"apiserver.authorize": [no_list]})

    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.list("resourceclaims", "default"))

        assert (error.code, error.reason) == (403, "Forbidden")
        assert error.message == (
            'resourceclaims.resource.k8s.io is forbidden: User "admin" cannot list resource '
            '"resourceclaims" in API group "resource.k8s.io" in the namespace "default"'
        )

    ask(question, faults=faults)


def test_a_failure_of_the_server_is_an_internal_error(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("broken")

    async def question(rig: Rig) -> None:
        error = await rig.refused(rig.client.get("namespaces", "default"))

        assert (error.code, error.reason) == (500, "InternalError")
        assert error.message == "Internal error occurred: broken"

    ask(
        question,
        faults=Faults(
            {
                "apiserver.authorize": [
                    lambda real, asked: fail() if asked.verb == "get" else real(asked)
                ]
            }
        ),
    )
    assert "broken" in caplog.text


@pytest.mark.parametrize(
    "operations",
    [
        pytest.param([{"op": "replace", "path": "", "value": 1}], id="a number for the document"),
        pytest.param([{"op": "remove", "path": "/kind"}], id="no kind"),
        pytest.param([{"op": "replace", "path": "/kind", "value": "Pod"}], id="another kind"),
        pytest.param([{"op": "replace", "path": "/metadata", "value": []}], id="metadata a list"),
        pytest.param([{"op": "replace", "path": "/data", "value": {"k": 1}}], id="wrong type"),
        pytest.param([{"op": "replace", "path": "/metadata/name", "value": "b"}], id="name"),
    ],
)
def test_a_patch_cannot_bring_the_server_down(operations: list[Any]) -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a", k="1"))
        patching = rig.client.patch(
            "configmaps", "a", operations, "default", content_type=JSON_PATCH
        )

        with contextlib.suppress(StatusError):
            changed = await patching
            assert changed["kind"] == "ConfigMap"

        assert (await rig.client.get("configmaps", "a", "default"))["data"] == {"k": "1"}

    ask(question)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([1], id="a list"),
        pytest.param({"gracePeriodSeconds": "x"}, id="text for a number"),
        pytest.param({"preconditions": {"uid": 1}}, id="number for a text"),
    ],
)
def test_options_of_a_deletion_are_typed(body: Any) -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("configmaps", config_map("a"))

        error = await rig.refused(rig.client.request("DELETE", f"{MAPS}/a", body=body))

        assert (error.code, error.reason) == (400, "BadRequest")

    ask(question)
