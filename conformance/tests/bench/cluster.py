"""One reference cluster in this process, on the machine's own clock: what an answer takes.

Every request goes over a real socket, with client and server in one event loop, so that a
number here is the work of both.
"""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from conformance.kube.objects import Object
from conformance.reference.client.api import ApiClient
from conformance.reference.cluster import Cluster
from conformance.reference.options import ClusterOptions
from conformance.reference.world.model import World, WorldDriver
from conformance.tests.bench.table import Row, Sample, rounds

#: Requests in a row of which one round takes the mean.
_REQUESTS = 200

_WATCHERS, _EVENTS = 20, 50

#: Pods that are created at once; each node takes 110, and has a device for each.
_PODS = 100

#: Seconds until Pods that were created count as never bound.
_PATIENCE = 120.0

_NAMESPACE = "default"
_CLASS = "bench"

#: Something to measure on a running cluster, and how often it is done in one round.
Work = Callable[[ApiClient, str], Awaitable[int]]


def answering(count: int) -> Iterator[Row]:
    """Measure the API of one cluster, and Pods from their creation until they are bound."""
    for what, work in _WORKS.items():
        fresh = (f"bench-{number}" for number in itertools.count())
        yield rounds(what, count, lambda work=work, fresh=fresh: _round(work, next(fresh)))


def _round(work: Work, prefix: str) -> Sample:
    with tempfile.TemporaryDirectory(prefix="dra-bench-") as folder:
        return asyncio.run(_on_a_cluster(work, prefix, Path(folder)))


async def _on_a_cluster(work: Work, prefix: str, root: Path) -> Sample:
    devices = tuple({"name": f"device-{number}"} for number in range(_PODS))
    driver = WorldDriver(name="bench.example", device_class=_CLASS, devices=devices)
    cluster = Cluster(ClusterOptions(root=root, virtual=False, world=World(drivers=(driver,))))
    try:
        await cluster.start()
        async with ApiClient(cluster.url, cluster.token, clock=cluster.clock) as api:
            await work(api, f"{prefix}-warm")
            wall, cpu = time.perf_counter(), time.process_time()
            times = await work(api, prefix)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    finally:
        await cluster.stop()
    return Sample(wall=wall / times, cpu=cpu / times)


async def _create(api: ApiClient, prefix: str) -> int:
    for number in range(_REQUESTS):
        await api.create("configmaps", _config_map(f"{prefix}-{number}"))
    return _REQUESTS


async def _get(api: ApiClient, prefix: str) -> int:
    await api.create("configmaps", _config_map(prefix))
    for _ in range(_REQUESTS):
        await api.get("configmaps", prefix, _NAMESPACE)
    return _REQUESTS


async def _patch(api: ApiClient, prefix: str) -> int:
    await api.create("configmaps", _config_map(prefix))
    for number in range(_REQUESTS):
        await api.patch("configmaps", prefix, {"data": {"turn": str(number)}}, _NAMESPACE)
    return _REQUESTS


async def _fan_out(api: ApiClient, prefix: str) -> int:
    async def see_all() -> None:
        awaited = {f"{prefix}-{number}" for number in range(_EVENTS)}
        async for event in api.watch_resource("configmaps", _NAMESPACE):
            awaited.discard(event.object.get("metadata", {}).get("name", ""))
            if not awaited:
                return

    watchers = [asyncio.ensure_future(see_all()) for _ in range(_WATCHERS)]
    for number in range(_EVENTS):
        await api.create("configmaps", _config_map(f"{prefix}-{number}"))
    await asyncio.wait_for(asyncio.gather(*watchers), _PATIENCE)
    return _WATCHERS * _EVENTS


async def _bind(api: ApiClient, prefix: str) -> int:
    if prefix.endswith("warm"):
        return 1
    await api.create("resourceclaimtemplates", _template(prefix))
    names = {f"{prefix}-{number}" for number in range(_PODS)}
    bound = asyncio.ensure_future(_all_bound(api, set(names)))
    await asyncio.gather(*(api.create("pods", _pod(name, prefix)) for name in sorted(names)))
    await asyncio.wait_for(bound, _PATIENCE)
    return 1


async def _all_bound(api: ApiClient, awaited: set[str]) -> None:
    async for event in api.watch_resource("pods", _NAMESPACE):
        if event.object.get("spec", {}).get("nodeName"):
            awaited.discard(event.object["metadata"]["name"])
        if not awaited:
            return


_WORKS: dict[str, Work] = {
    "GET of a ConfigMap": _get,
    "create of a ConfigMap": _create,
    "merge patch of a ConfigMap": _patch,
    f"watch, per event and watcher ({_WATCHERS} watchers)": _fan_out,
    f"{_PODS} Pods with a claim template, created to bound": _bind,
}


def _config_map(name: str) -> Object:
    meta = {"name": name, "namespace": _NAMESPACE}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"turn": "none"}}


def _template(name: str) -> Object:
    request = {"name": "device", "exactly": {"deviceClassName": _CLASS}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }


def _pod(name: str, template: str) -> Object:
    container = {"name": "main", "image": "bench", "resources": {"claims": [{"name": "device"}]}}
    claim = {"name": "device", "resourceClaimTemplateName": template}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": {"containers": [container], "resourceClaims": [claim]},
    }
