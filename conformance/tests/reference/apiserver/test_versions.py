"""One object in all versions: written in one, read, watched and changed in another."""

from __future__ import annotations

import json
from typing import Any

from conformance.kube.objects import Object
from conformance.tests.reference.apiserver.rig import Rig, ask

_ALL = {"api/all": True}
_CLAIMS = "/apis/resource.k8s.io/{}/namespaces/default/resourceclaims"
_SLICES = "/apis/resource.k8s.io/{}/resourceslices"


def _flat(name: str = "a") -> Object:
    request = {"name": "r", "deviceClassName": "gpu", "capacity": {"requests": {"memory": "1Gi"}}}
    return {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "metadata": {"name": name},
        "spec": {"devices": {"requests": [request]}},
    }


def _slice(version: str, device: Object) -> Object:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d.example", "nodeName": "n", "pool": pool, "devices": [device]}
    api = f"resource.k8s.io/{version}"
    return {"apiVersion": api, "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": spec}


async def _answer(rig: Rig, path: str, **query: str) -> tuple[int, list[str], Any]:
    session = rig.client._open()
    async with session.get(rig.url + path, params=query) as response:
        warnings = response.headers.getall("Warning", [])
        return response.status, list(warnings), await response.json()


def test_a_flat_request_is_exact_in_the_other_versions() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.request("POST", _CLAIMS.format("v1beta1"), body=_flat())

        newest = await rig.client.request("GET", _CLAIMS.format("v1") + "/a")
        middle = await rig.client.request("GET", _CLAIMS.format("v1beta2") + "/a")

        exactly = {
            "deviceClassName": "gpu",
            "allocationMode": "ExactCount",
            "count": 1,
            "capacity": {"requests": {"memory": "1Gi"}},
        }
        assert made["apiVersion"] == "resource.k8s.io/v1beta1"
        assert made["spec"]["devices"]["requests"] == [{"name": "r", **exactly}]
        assert newest["spec"]["devices"]["requests"] == [{"name": "r", "exactly": exactly}]
        assert middle == {**newest, "apiVersion": "resource.k8s.io/v1beta2"}

    ask(question, runtime_config=_ALL)


def test_a_patch_in_an_old_version_keeps_what_it_does_not_name() -> None:
    async def question(rig: Rig) -> None:
        device = {"name": "d", "bindsToNode": True, "bindingConditions": ["a/b"]}
        device |= {"bindingFailureConditions": ["a/c"], "allowMultipleAllocations": True}
        await rig.client.request("POST", _SLICES.format("v1"), body=_slice("v1", device))
        change = [{"op": "add", "path": "/spec/devices/0/basic/attributes", "value": {}}]
        value = {"op": "add", "path": "/spec/devices/0/basic/attributes/x", "value": {"int": 3}}

        patched = await rig.client.request(
            "PATCH",
            _SLICES.format("v1beta1") + "/s",
            body=[*change, value],
            content_type="application/json-patch+json",
        )
        now = await rig.client.request("GET", _SLICES.format("v1") + "/s")

        attributes = {"attributes": {"x": {"int": 3}}}
        assert now["spec"]["devices"] == [{**device, **attributes}]
        rest = {key: value for key, value in device.items() if key != "name"}
        assert patched["spec"]["devices"] == [{"name": "d", "basic": {**rest, **attributes}}]

    ask(question, runtime_config=_ALL)


def test_lists_tables_and_watches_carry_the_version_that_was_asked() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.request("POST", _CLAIMS.format("v1"), body=_exact())

        listed = await rig.client.request("GET", _CLAIMS.format("v1beta1"))
        initial = await _first_event(rig, _CLAIMS.format("v1beta1"))

        assert (listed["apiVersion"], listed["kind"]) == (
            "resource.k8s.io/v1beta1",
            "ResourceClaimList",
        )
        assert listed["items"][0]["spec"]["devices"]["requests"][0]["deviceClassName"] == "gpu"
        assert initial["object"]["apiVersion"] == "resource.k8s.io/v1beta1"
        assert initial["object"]["spec"] == listed["items"][0]["spec"]

    ask(question, runtime_config=_ALL)


def test_a_deprecated_version_warns_whoever_uses_it() -> None:
    async def question(rig: Rig) -> None:
        code, old, _ = await _answer(rig, _CLAIMS.format("v1beta1"))
        missing, also, _ = await _answer(rig, _CLAIMS.format("v1beta1") + "/none")
        _, new, _ = await _answer(rig, _CLAIMS.format("v1"))

        says = '299 - "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, '
        says += 'unavailable in v1.38+"'
        assert (code, old) == (200, [says])
        assert (missing, also) == (404, [says])
        assert new == []

    ask(question, runtime_config=_ALL)


def test_without_being_asked_a_server_serves_v1_alone() -> None:
    async def question(rig: Rig) -> None:
        group = await rig.client.request("GET", "/apis/resource.k8s.io")
        code, _, _ = await _answer(rig, _CLAIMS.format("v1beta1"))

        assert [row["version"] for row in group["versions"]] == ["v1"]
        assert code == 404

    ask(question)


def _exact() -> Object:
    request = {"name": "r", "exactly": {"deviceClassName": "gpu"}}
    spec = {"devices": {"requests": [request]}}
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}
    return {**head, "metadata": {"name": "a"}, "spec": spec}


async def _first_event(rig: Rig, path: str) -> Any:
    """Return the first event of a watch."""
    session = rig.client._open()
    async with session.get(rig.url + path, params={"watch": "true"}) as response:
        first = await response.content.readline()
        return json.loads(first)
