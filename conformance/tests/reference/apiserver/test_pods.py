"""Pods: defaults, validation, what may change, binding and logs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conformance.kube.status import StatusError
from conformance.tests.reference.apiserver.rig import Rig, ask, named, pod


def test_a_new_pod_is_pending_with_defaults() -> None:
    async def question(rig: Rig) -> None:
        sent = pod()
        sent["status"] = {"phase": "Running"}

        made = await rig.client.create("pods", sent)

        assert made["status"] == {"phase": "Pending", "qosClass": "BestEffort"}
        spec = made["spec"]
        assert (spec["restartPolicy"], spec["schedulerName"]) == ("Always", "default-scheduler")
        assert spec["containers"][0]["imagePullPolicy"] == "IfNotPresent"
        assert {row["key"] for row in spec["tolerations"]} == {
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
        }

    ask(question)


CLAIM = {"name": "gpu", "resourceClaimName": "c"}


@pytest.mark.parametrize(
    ("spec", "field", "reason"),
    [
        pytest.param({"containers": []}, "spec.containers", "FieldValueRequired", id="empty"),
        pytest.param(
            {"containers": [{"name": "c"}]},
            "spec.containers[0].image",
            "FieldValueRequired",
            id="no image",
        ),
        pytest.param(
            {"containers": [{"name": "c", "image": "i"}, {"name": "c", "image": "i"}]},
            "spec.containers[1].name",
            "FieldValueDuplicate",
            id="two of a name",
        ),
        pytest.param(
            {"resourceClaims": [CLAIM, CLAIM]},
            "spec.resourceClaims[1].name",
            "FieldValueDuplicate",
            id="claim twice",
        ),
        pytest.param(
            {"resourceClaims": [{"name": "gpu"}]},
            "spec.resourceClaims[0]",
            "FieldValueInvalid",
            id="claim without source",
        ),
        pytest.param(
            {"resourceClaims": [{**CLAIM, "resourceClaimTemplateName": "t"}]},
            "spec.resourceClaims[0]",
            "FieldValueInvalid",
            id="claim of two sources",
        ),
        pytest.param(
            {
                "containers": [
                    {"name": "c", "image": "i", "resources": {"claims": [{"name": "none"}]}}
                ]
            },
            "spec.containers[0].resources.claims[0]",
            "FieldValueNotFound",
            id="container of an unknown claim",
        ),
        pytest.param(
            {"restartPolicy": "Sometimes"},
            "spec.restartPolicy",
            "FieldValueNotSupported",
            id="restart policy",
        ),
    ],
)
def test_a_wrong_spec_is_a_cause(spec: dict[str, Any], field: str, reason: str) -> None:
    async def question(rig: Rig) -> None:
        sent = pod()
        sent["spec"] |= spec

        error = await rig.refused(rig.client.create("pods", sent))

        assert (error.code, error.details["kind"]) == (422, "Pod")
        assert (field, reason) in error.causes

    ask(question)


def test_the_spec_is_immutable_but_for_images_and_more_tolerations() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.pod()
        made["spec"]["containers"][0]["image"] = "busybox:2"
        made["spec"]["tolerations"].append({"key": "k", "operator": "Exists"})
        changed = await rig.client.update("pods", made)
        assert changed["metadata"]["generation"] == 2

        wishes = {"spec": {"nodeName": "n"}}, {"spec": {"tolerations": []}}
        errors = [
            await rig.refused(rig.client.patch("pods", "p", wish, "default")) for wish in wishes
        ]

        assert ("spec", "FieldValueForbidden") in errors[0].causes
        assert ("spec.tolerations", "FieldValueForbidden") in errors[1].causes

    ask(question)


def test_a_pod_is_bound_once() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.pod()

        await rig.client.bind(made, "n1")
        error = await rig.refused(rig.client.bind(made, "n2"))

        bound = await rig.client.get("pods", "p", "default")
        assert bound["spec"]["nodeName"] == "n1"
        condition = bound["status"]["conditions"][0]
        assert (condition["type"], condition["status"]) == ("PodScheduled", "True")
        assert (error.code, error.reason) == (409, "Conflict")
        assert error.message == (
            'Operation cannot be fulfilled on pods/binding "p": '
            'pod p is already assigned to node "n1"'
        )

    ask(question)


def test_a_pod_of_another_uid_is_not_bound() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.pod()
        made["metadata"]["uid"] = "other"

        assert (await rig.refused(rig.client.bind(made, "n"))).code == 409

    ask(question)


def test_claim_statuses_must_name_claims_of_the_pod() -> None:
    async def question(rig: Rig) -> None:
        await rig.pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "t"}])
        good = {"status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "x"}]}}
        bad = {"status": {"resourceClaimStatuses": [{"name": "no", "resourceClaimName": "x"}]}}

        await rig.client.patch("pods", "p", good, "default", subresource="status")
        error = await rig.refused(
            rig.client.patch("pods", "p", bad, "default", subresource="status")
        )

        assert error.causes == [("status.resourceClaimStatuses[0].name", "FieldValueInvalid")]

    ask(question)


def test_a_log_comes_from_the_kubelet_of_the_node() -> None:
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0])
        writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nline\n")
        await writer.drain()
        writer.close()

    async def question(rig: Rig) -> None:
        kubelet = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = kubelet.sockets[0].getsockname()[1]
        status = {
            "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        }
        await rig.client.create("nodes", named("Node", "n", status=status))
        await rig.pod(nodeName="n")

        assert await rig.client.log("p", "default") == "line\n"
        kubelet.close()
        await kubelet.wait_closed()
        assert asked == ["GET /containerLogs/default/p/c HTTP/1.1"]
        error = await rig.refused(rig.client.log("p", "default"))
        assert (error.code, error.reason) == (500, "InternalError")

    ask(question)


def test_a_log_needs_to_know_the_container() -> None:
    async def question(rig: Rig) -> None:
        two = [{"name": name, "image": "i"} for name in "ab"]
        await rig.pod(containers=two)

        which = await rig.refused(rig.client.log("p", "default"))
        unknown = await rig.refused(rig.client.log("p", "default", "z"))

        expected = "a container name must be specified for pod p, choose one of: [a b]"
        assert which.message == expected
        assert unknown.message == "container z is not valid for pod p"
        assert await rig.client.log("p", "default", "a") == ""

    ask(question)


def priority_class(name: str, value: int, **more: Any) -> dict[str, Any]:
    head = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
    return {**head, "metadata": {"name": name}, "value": value, **more}


def of_priority(**spec: Any) -> dict[str, Any]:
    made = pod()
    made["spec"].update(spec)
    return made


def test_a_pod_has_the_priority_of_its_class_and_does_not_own_it() -> None:
    async def question(rig: Rig) -> None:
        quiet = priority_class("quiet", -5, preemptionPolicy="Never")
        await rig.client.create("priorityclasses", quiet)

        made = await rig.client.create("pods", of_priority(priorityClassName="quiet"))

        assert (made["spec"]["priority"], made["spec"]["preemptionPolicy"]) == (-5, "Never")
        owned = [row["fieldsV1"]["f:spec"] for row in made["metadata"]["managedFields"]]
        assert all("f:priority" not in fields for fields in owned)

    ask(question)


def test_a_pod_without_a_class_has_that_of_the_cluster() -> None:
    async def question(rig: Rig) -> None:
        usual = priority_class("usual", 7, globalDefault=True)
        await rig.client.create("priorityclasses", usual)

        made = await rig.client.create("pods", pod())

        assert (made["spec"]["priority"], made["spec"]["priorityClassName"]) == (7, "usual")

    ask(question)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        pytest.param({"priorityClassName": "none"}, "no PriorityClass", id="no such class"),
        pytest.param({"priority": 3}, "must not be provided", id="a priority of its own"),
        pytest.param({"preemptionPolicy": "Never"}, "must not be provided", id="a policy"),
    ],
)
def test_a_pod_says_nothing_of_its_priority_but_its_class(spec: dict[str, Any], words: str) -> None:
    async def question(rig: Rig) -> None:
        with pytest.raises(StatusError, match=words) as caught:
            await rig.client.create("pods", of_priority(**spec))

        assert caught.value.code == 403

    ask(question)
