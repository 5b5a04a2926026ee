"""What the server says that it serves."""

from __future__ import annotations

from typing import Any

from conformance.reference.faults.seams import Faults
from conformance.tests.reference.apiserver.rig import Rig, ask

POOLS = "/apis/resource.k8s.io/v1alpha3"


async def _aggregated(rig: Rig, path: str) -> tuple[str, Any]:
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    session = rig.client._open()
    async with session.get(rig.url + path, headers={"Accept": accept}) as response:
        return response.headers["Content-Type"], await response.json()


def test_groups_versions_and_resources_are_listed() -> None:
    async def question(rig: Rig) -> None:
        core = await rig.client.request("GET", "/api")
        groups = await rig.client.request("GET", "/apis")
        dra = await rig.client.request("GET", "/apis/resource.k8s.io/v1")
        pods = await rig.client.request("GET", "/api/v1")

        assert core["versions"] == ["v1"]
        assert "resource.k8s.io" in [group["name"] for group in groups["groups"]]
        names = [row["name"] for row in dra["resources"]]
        assert "resourceclaims" in names
        assert "resourceclaims/status" in names
        assert "pods/binding" in [row["name"] for row in pods["resources"]]

    ask(question)


def test_the_aggregated_form_holds_everything_in_two_documents() -> None:
    async def question(rig: Rig) -> None:
        media_type, apis = await _aggregated(rig, "/apis")
        _, api = await _aggregated(rig, "/api")

        assert "as=APIGroupDiscoveryList" in media_type
        names = [item["metadata"]["name"] for item in apis["items"]]
        assert "resource.k8s.io" in names
        pods = next(
            row for row in api["items"][0]["versions"][0]["resources"] if row["resource"] == "pods"
        )
        assert pods["scope"] == "Namespaced"
        assert "log" in [row["subresource"] for row in pods["subresources"]]

    ask(question)


def test_the_version_is_the_emulated_one() -> None:
    async def question(rig: Rig) -> None:
        version = await rig.client.request("GET", "/version")
        assert (version["major"], version["minor"]) == ("1", "37")

    ask(question)


def test_a_gated_resource_is_served_with_its_gate() -> None:
    async def without(rig: Rig) -> None:
        assert (await rig.client.text("GET", f"{POOLS}/resourcepoolstatusrequests"))[0] == 404

    async def with_gate(rig: Rig) -> None:
        items, _ = await rig.client.list("resourcepoolstatusrequests")
        assert items == []

    ask(without, gates={"DRAResourcePoolStatus": False})
    ask(with_gate, gates={"DRAResourcePoolStatus": True})


def test_a_saboteur_can_serve_what_is_gated() -> None:
    faults = Faults({"apiserver.serves": [lambda _real, _resource, _features: True]})

    async def question(rig: Rig) -> None:
        assert (await rig.client.text("GET", f"{POOLS}/resourcepoolstatusrequests"))[0] == 200

    ask(question, gates={"DRAResourcePoolStatus": False}, faults=faults)


def test_openapi_describes_shapes_and_field_validation() -> None:
    async def question(rig: Rig) -> None:
        index = await rig.client.request("GET", "/openapi/v3")
        url = index["paths"]["apis/resource.k8s.io/v1"]["serverRelativeURL"]

        document = await rig.client.request("GET", url)

        schemas = document["components"]["schemas"]
        claim = schemas["io.k8s.api.resource.v1.ResourceClaim"]
        assert claim["x-kubernetes-group-version-kind"][0]["kind"] == "ResourceClaim"
        spec = claim["properties"]["spec"]["allOf"][0]["$ref"].rpartition("/")[2]
        assert "devices" in schemas[spec]["properties"]
        path = "/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims/{name}"
        names = [row["name"] for row in document["paths"][path]["patch"]["parameters"]]
        assert names == ["fieldValidation"]

    ask(question)
