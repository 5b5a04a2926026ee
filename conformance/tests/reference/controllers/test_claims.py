"""The resource claim controller over real HTTP."""

from __future__ import annotations

from typing import Any

from conformance.tests.reference.plane import NAMESPACE, Plane, claim_spec, device_of, run


async def furnish(plane: Plane, *, devices: int = 1) -> None:
    await plane.node("node-1")
    await plane.slice("node-1", *(f"gpu-{number}" for number in range(devices)))
    await plane.device_class()
    await plane.template()


async def statuses(plane: Plane, pod: str) -> list[dict[str, Any]]:
    return (await plane.get_pod(pod))["status"]["resourceClaimStatuses"]


def test_each_pod_of_a_template_gets_a_claim_of_its_own() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        pods = [await plane.pod(name, template="template") for name in ("a", "b")]
        await plane.settle()

        owners = {
            claim["metadata"]["name"]: claim["metadata"]["ownerReferences"][0]["uid"]
            for claim in await plane.claims()
        }
        assert len(owners) == 2
        for pod in pods:
            name = (await statuses(plane, pod["metadata"]["name"]))[0]["resourceClaimName"]
            assert owners[name] == pod["metadata"]["uid"]

    run(scenario)


def test_a_template_that_comes_late_is_used() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.pod("p", template="template")
        await plane.settle()
        assert await plane.claims() == []

        await plane.template()
        await plane.settle()
        assert len(await plane.claims()) == 1

    run(scenario)


def test_a_generated_claim_that_was_deleted_is_made_again() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.template()
        await plane.pod("p", template="template")
        await plane.settle()
        first = (await plane.claims())[0]["metadata"]["name"]

        await plane.api.delete("resourceclaims", first, NAMESPACE)
        await plane.settle()

        second = [claim["metadata"]["name"] for claim in await plane.claims()]
        assert len(second) == 1
        assert second != [first]
        assert (await statuses(plane, "p"))[0]["resourceClaimName"] == second[0]

    run(scenario)


def test_a_generated_claim_dies_with_its_pod() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", template="template")
        await plane.settle()

        await plane.api.delete("pods", "p", NAMESPACE, grace_period_seconds=0)
        await plane.settle()

        assert await plane.claims() == []

    run(scenario)


def test_a_generated_claim_is_removed_when_its_pod_is_done() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("p", template="template")
        await plane.settle()

        await plane.finish("p", "Failed")
        await plane.settle()

        assert await plane.claims() == []

    run(scenario)


def test_the_last_consumer_of_a_shared_claim_deallocates_it() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.claim("c")
        for name in ("a", "b"):
            await plane.pod(name, claim="c")
        await plane.settle()

        await plane.finish("a")
        await plane.settle()
        claim = await plane.get_claim("c")
        assert device_of(claim) == "gpu-0"
        assert [entry["name"] for entry in claim["status"]["reservedFor"]] == ["b"]

        await plane.finish("b")
        await plane.settle()
        claim = await plane.get_claim("c")
        assert device_of(claim) is None
        assert not claim.get("status", {}).get("reservedFor")
        assert not claim["metadata"].get("finalizers")

    run(scenario)


def test_an_allocated_claim_is_reserved_for_a_pod_that_has_a_node() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.claim("c")
        await plane.pod("scheduled", claim="c")
        await plane.settle()

        await plane.pod("bypasses", claim="c", nodeName="node-1")
        await plane.settle()

        reserved = (await plane.get_claim("c"))["status"]["reservedFor"]
        assert [entry["name"] for entry in reserved] == ["scheduled", "bypasses"]

    run(scenario)


def test_a_claim_is_never_allocated_for_a_pod_that_has_a_node() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.pod("bypasses", template="template", nodeName="node-1")
        await plane.settle()

        claims = await plane.claims()
        assert [device_of(claim) for claim in claims] == [None]
        assert not claims[0].get("status", {}).get("reservedFor")

    run(scenario)


def test_a_reservation_for_a_pod_that_never_was_is_removed() -> None:
    async def scenario(plane: Plane) -> None:
        await furnish(plane)
        await plane.claim("c")
        await plane.pod("p", claim="c")
        await plane.settle()
        claim = await plane.get_claim("c")
        ghost = {"resource": "pods", "name": "ghost", "uid": "no-such-uid"}
        claim["status"]["reservedFor"].append(ghost)
        await plane.api.update_status("resourceclaims", claim)
        await plane.settle()

        reserved = (await plane.get_claim("c"))["status"]["reservedFor"]
        assert [entry["name"] for entry in reserved] == ["p"]

    run(scenario)


def test_a_claim_of_another_pod_is_not_taken_over() -> None:
    async def scenario(plane: Plane) -> None:
        await plane.template()
        await plane.pod("p", template="template")
        await plane.settle()
        stranger = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {
                "name": "stranger",
                "namespace": NAMESPACE,
                "annotations": {"resource.kubernetes.io/pod-claim-name": "gpu"},
            },
            "spec": claim_spec("gpu"),
        }
        await plane.api.create("resourceclaims", stranger)
        await plane.settle()

        assert (await statuses(plane, "p"))[0]["resourceClaimName"] != "stranger"
        assert {claim["metadata"]["name"] for claim in await plane.claims()} > {"stranger"}

    run(scenario)
