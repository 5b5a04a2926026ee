"""The whole reference in one loop: nodes, drivers, Pods that run, and time that jumps."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.dra.features import FeatureError
from conformance.reference.client.api import ApiClient
from conformance.reference.cluster import Cluster, ClusterOptions
from conformance.reference.scheduler.configuration import ConfigurationError
from conformance.reference.world.model import World, WorldDriver, WorldNode

Object = dict[str, Any]
Scenario = Callable[[Cluster, ApiClient], Awaitable[None]]

DRIVER = WorldDriver(
    name="gpu.example.com",
    device_class="gpu",
    devices=({"name": "gpu-0"}, {"name": "gpu-1"}),
)
WORLD = World(nodes=(WorldNode(name="node-1"), WorldNode(name="node-2")), drivers=(DRIVER,))


@pytest.fixture
def root() -> Iterator[Path]:
    """Return a directory with a short path: Unix sockets lie below it."""
    with tempfile.TemporaryDirectory(prefix="dra-") as name:
        yield Path(name)


def run(scenario: Scenario, root: Path, **options: Any) -> None:
    """Run a scenario on a fresh cluster, for at most half a minute of real time."""

    async def whole() -> None:
        cluster = Cluster(ClusterOptions(root=root, **options))
        try:
            await cluster.start()
            async with ApiClient(cluster.url, cluster.token, clock=cluster.clock) as api:
                await scenario(cluster, api)
        finally:
            await cluster.stop()

    asyncio.run(asyncio.wait_for(whole(), 30))


async def pass_time(cluster: Cluster, seconds: float) -> None:
    end = cluster.clock.monotonic() + seconds
    while cluster.clock.monotonic() < end - 1e-9:
        await cluster.step(end - cluster.clock.monotonic())


def pod(name: str, **spec: Any) -> Object:
    container = {
        "name": "main",
        "image": "conformance.test/busybox:1",
        "command": ["sleep", "1000000"],
        "resources": {"claims": [{"name": "gpu"}]},
    }
    claims = [{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [container], "resourceClaims": claims, **spec},
    }


TEMPLATE: Object = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "one-gpu", "namespace": "default"},
    "spec": {
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}
    },
}


def test_nodes_are_ready_and_their_directories_exist(root: Path) -> None:
    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        nodes, _ = await api.list("nodes")
        assert [node["metadata"]["name"] for node in nodes] == ["node-1", "node-2"]
        for node in nodes:
            ready = [one for one in node["status"]["conditions"] if one["type"] == "Ready"]
            assert ready[0]["status"] == "True"
            assert node["metadata"]["labels"]["kubernetes.io/hostname"] == node["metadata"]["name"]
        assert all(node.plugins_dir.is_dir() for node in cluster.nodes)
        namespaces, _ = await api.list("namespaces")
        assert {one["metadata"]["name"] for one in namespaces} >= {"default", "kube-system"}

    run(scenario, root)


def test_a_pod_with_a_claim_runs_and_cleans_up(root: Path) -> None:
    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("p"))
        await pass_time(cluster, 1)
        running = await api.get("pods", "p", "default")
        assert running["status"]["phase"] == "Running"
        assert running["spec"]["nodeName"] == "node-1"

        await api.delete("pods", "p", "default")
        await pass_time(cluster, 60)
        assert (await api.list("pods"))[0] == []
        assert (await api.list("resourceclaims"))[0] == []

    run(scenario, root, world=WORLD)


def test_every_component_asks_as_itself_and_within_its_rights(root: Path) -> None:
    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("p"))
        await pass_time(cluster, 1)
        await api.delete("pods", "p", "default")
        await pass_time(cluster, 60)

        done = {(act.user, act.verb, act.resource, act.subresource) for act in cluster.access_log()}
        account = "system:serviceaccount:kube-system:"
        assert {
            ("system:kube-scheduler", "update", "resourceclaims", "status"),
            ("system:kube-scheduler", "create", "pods", "binding"),
            ("system:kube-controller-manager", "watch", "pods", ""),
            (f"{account}resource-claim-controller", "create", "resourceclaims", ""),
            (f"{account}generic-garbage-collector", "delete", "resourceclaims", ""),
            ("system:node:node-1", "get", "resourceclaims", ""),
            ("system:node:node-1", "delete", "pods", ""),
            ("system:node:node-2", "deletecollection", "resourceslices", ""),
        } <= done
        assert [act for act in cluster.access_log() if not act.allowed] == []

    run(scenario, root, world=WORLD)


def test_a_component_without_its_role_is_refused(root: Path) -> None:
    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        await api.delete("clusterrolebindings", "system:kube-scheduler")
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("p"))
        await pass_time(cluster, 1)

        assert "nodeName" not in (await api.get("pods", "p", "default"))["spec"]
        refused = {act.user for act in cluster.access_log() if not act.allowed}
        assert refused == {"system:kube-scheduler"}

    run(scenario, root, world=WORLD)


def test_a_kubelet_restarts_on_the_same_directories(root: Path) -> None:
    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("before"))
        await pass_time(cluster, 1)
        await cluster.restart_kubelet("node-1")
        await api.create("pods", pod("after", nodeSelector={"kubernetes.io/hostname": "node-1"}))
        await pass_time(cluster, 15)

        for name in ("before", "after"):
            assert (await api.get("pods", name, "default"))["status"]["phase"] == "Running"

    run(scenario, root, world=WORLD)


def test_the_same_seed_gives_the_same_cluster(root: Path) -> None:
    seen: list[list[Object]] = []

    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("p"))
        await pass_time(cluster, 2)
        claims, _ = await api.list("resourceclaims")
        seen.append([await api.get("pods", "p", "default"), *claims])

    for number in (1, 2):
        below = root / str(number)
        below.mkdir()
        run(scenario, below, world=WORLD, seed=3)

    def identity(obj: Object) -> tuple[str, str, str]:
        metadata = obj["metadata"]
        return metadata["name"], metadata["uid"], metadata["creationTimestamp"]

    assert list(map(identity, seen[0])) == list(map(identity, seen[1]))


def test_the_binding_timeout_passes_in_virtual_time(root: Path) -> None:
    """The bound is generous, for a loaded machine; the benchmark lane measures it."""

    async def scenario(cluster: Cluster, api: ApiClient) -> None:
        device = {
            "name": "slow",
            "bindingConditions": ["Attached"],
            "bindingFailureConditions": ["Failed"],
        }
        await api.create(
            "deviceclasses",
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "DeviceClass",
                "metadata": {"name": "gpu"},
                "spec": {},
            },
        )
        await api.create(
            "resourceslices",
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": "slice"},
                "spec": {
                    "driver": "slow.example.com",
                    "nodeName": "node-1",
                    "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
                    "devices": [device],
                },
            },
        )
        await api.create("resourceclaimtemplates", TEMPLATE)
        await api.create("pods", pod("p"))
        await cluster.step(0.001)
        claim = (await api.list("resourceclaims"))[0][0]
        assert claim["status"]["allocation"]

        began = time.perf_counter()
        await pass_time(cluster, 600)
        elapsed = time.perf_counter() - began

        claim = (await api.list("resourceclaims"))[0][0]
        assert not claim.get("status", {}).get("allocation")
        assert elapsed < 2

    run(scenario, root)


def test_the_scheduler_is_configured_as_in_the_document(root: Path) -> None:
    def configuration(timeout: str) -> Object:
        args = {"kind": "DynamicResourcesArgs", "bindingTimeout": timeout}
        plugin = {"name": "DynamicResources", "args": args}
        return {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"pluginConfig": [plugin]}],
        }

    Cluster(ClusterOptions(root=root, scheduler_configuration=configuration("60s")))
    with pytest.raises(ConfigurationError, match="bindingTimeout"):
        Cluster(ClusterOptions(root=root, scheduler_configuration=configuration("fast")))


def test_unknown_gates_are_refused(root: Path) -> None:
    with pytest.raises(FeatureError, match="did you mean DRAAdminAccess"):
        Cluster(ClusterOptions(root=root, gates={"DRAAdminAcces": True}))
