"""Who asks, what they may do, and what is remembered of it."""

from __future__ import annotations

import asyncio
import json
import tempfile
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.cluster import Cluster, ClusterOptions

GROUP = "rbac.authorization.k8s.io"


def ask(question: Callable[[Cluster, ApiClient], Awaitable[None]]) -> None:
    async def whole(folder: Path) -> None:
        cluster = Cluster(ClusterOptions(root=folder, nodes=1))
        try:
            await cluster.start()
            async with ApiClient(cluster.url, cluster.token, clock=cluster.clock) as api:
                await question(cluster, api)
        finally:
            await cluster.stop()

    # A short name, whoever runs this: the sockets of a node lie deep below it.
    with tempfile.TemporaryDirectory(prefix="da-") as folder:
        asyncio.run(asyncio.wait_for(whole(Path(folder)), 30))


async def token_of(api: ApiClient, **spec: Any) -> str:
    head = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "somebody"}}
    await api.create("serviceaccounts", head, "default")
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
    answer = await api.create("serviceaccounts", request, "default", "token", "somebody")
    return answer["status"]["token"]


async def refusal(asking: Awaitable[Any]) -> int:
    try:
        await asking
    except StatusError as error:
        return error.code
    return 0


def test_what_was_tried_is_remembered() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        async with ApiClient(cluster.url, await token_of(api), clock=cluster.clock) as somebody:
            assert await refusal(somebody.get("resourceclaims", "thing", "default")) == 403

        last = cluster.access_log()[-1]
        assert (last.user, last.verb) == ("system:serviceaccount:default:somebody", "get")
        assert (last.group, last.resource) == ("resource.k8s.io", "resourceclaims")
        assert (last.namespace, last.name, last.allowed) == ("default", "thing", False)

    ask(question)


@pytest.mark.parametrize(
    ("spec", "end"),
    [
        pytest.param({"expirationSeconds": 600}, "time", id="its time is over"),
        pytest.param({}, "account", id="its account is gone"),
        pytest.param(
            {"boundObjectRef": {"apiVersion": "v1", "kind": "Node", "name": "spare"}},
            "node",
            id="its node is gone",
        ),
        pytest.param({"audiences": ["others"]}, "nothing", id="it is for others"),
    ],
)
def test_a_token_ends(spec: dict[str, Any], end: str) -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        await api.create("nodes", {"metadata": {"name": "spare"}})
        token = await token_of(api, **spec)
        if end == "time":
            begun = cluster.clock.monotonic()
            while cluster.clock.monotonic() < begun + 600:
                await cluster.step(600)
        if end == "account":
            await api.delete("serviceaccounts", "somebody", "default")
        if end == "node":
            await api.delete("nodes", "spare")

        async with ApiClient(cluster.url, token, clock=cluster.clock) as somebody:
            assert await refusal(somebody.list("pods", "default")) == 401

    ask(question)


def test_a_token_that_was_replaced_counts_until_it_has_ended() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        old = await token_of(api)
        answer = await api.create("serviceaccounts", {"spec": {}}, "default", "token", "somebody")
        turn = cluster.driver_tokens.rotation.begin(old, answer["status"]["token"])
        codes: list[int] = []
        for end in (False, True):
            turn.ended = end
            for token in (turn.old, turn.new):
                async with ApiClient(cluster.url, token, clock=cluster.clock) as somebody:
                    codes.append(await refusal(somebody.list("pods", "default")))

        assert turn.old != turn.new
        assert codes == [403, 403, 401, 403]
        assert (turn.used, turn.refused) == (2, 1)

    ask(question)


def test_a_refused_token_is_told_as_a_real_server_does() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        old = await token_of(api)
        cluster.driver_tokens.rotation.begin(old, "another").end()

        async with ApiClient(cluster.url, old, clock=cluster.clock) as somebody:
            code, text = await somebody.text("GET", "/api/v1/namespaces/default/pods")

        assert code == 401
        assert json.loads(text) == {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "Unauthorized",
            "reason": "Unauthorized",
            "code": 401,
        }

    ask(question)


def test_each_token_has_an_id_of_its_own() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        async with ApiClient(cluster.url, await token_of(api), clock=cluster.clock) as somebody:
            path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
            review = await somebody.request("POST", path, body={})

        extra = review["status"]["userInfo"]["extra"]
        (told,) = extra["authentication.kubernetes.io/credential-id"]
        assert uuid.UUID(told.removeprefix("JTI=")).version == 4

    ask(question)


def test_a_short_lifetime_is_refused() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        assert await refusal(token_of(api, expirationSeconds=599)) == 422

    ask(question)


def test_nobody_acts_as_another_without_a_rule() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        token = await token_of(api)
        async with ApiClient(cluster.url, token, clock=cluster.clock) as somebody:
            somebody._headers["Impersonate-User"] = "system:node:node-1"
            assert await refusal(somebody.list("pods", "default")) == 403

        last = cluster.access_log()[-1]
        assert (last.verb, last.resource, last.name) == (
            "impersonate",
            "users",
            "system:node:node-1",
        )

    ask(question)


def test_the_rules_of_a_role_in_one_namespace() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        token = await token_of(api)
        subject = {"kind": "ServiceAccount", "name": "somebody", "namespace": "default"}
        reference = {"apiGroup": GROUP, "kind": "ClusterRole", "name": "view"}
        await api.create(
            "rolebindings",
            {"metadata": {"name": "view"}, "subjects": [subject], "roleRef": reference},
            "default",
        )
        async with ApiClient(cluster.url, token, clock=cluster.clock) as somebody:
            await somebody.list("resourceclaims", "default")
            assert await refusal(somebody.list("resourceclaims", "kube-system")) == 403
            assert await refusal(somebody.list("resourceclaims")) == 403
            path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
            review = await somebody.request("POST", path, body={"spec": {"namespace": "default"}})

        told = [
            rule
            for rule in review["status"]["resourceRules"]
            if "resourceclaims" in rule["resources"]
        ]
        assert [rule["verbs"] for rule in told] == [["get", "list", "watch"]]

    ask(question)


def test_a_change_of_rights_counts_at_once() -> None:
    async def question(cluster: Cluster, api: ApiClient) -> None:
        version = f"{GROUP}/v1"
        role = {
            "apiVersion": version,
            "kind": "ClusterRole",
            "metadata": {"name": "reader"},
            "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}],
        }
        binding = {
            "apiVersion": version,
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "reader"},
            "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": "reader"},
            "subjects": [{"kind": "ServiceAccount", "name": "somebody", "namespace": "default"}],
        }
        async with ApiClient(cluster.url, await token_of(api), clock=cluster.clock) as somebody:
            assert await refusal(somebody.list("pods")) == 403
            await api.create("clusterrolebindings", binding)
            assert await refusal(somebody.list("pods")) == 403
            await api.create("clusterroles", role)
            assert await refusal(somebody.list("pods")) == 0
            await api.patch("clusterroles", "reader", {"rules": []})
            assert await refusal(somebody.list("pods")) == 403

    ask(question)
