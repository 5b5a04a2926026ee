"""Nodes with devices, Pods with a claim each, and a watch that sees when they are bound."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from conformance.kube.objects import Object
from conformance.tests.bench.scale.server import MERGE_PATCH, Server
from conformance.tests.bench.table import NotMeasuredError

#: Threads that create, as many as a busy client of a cluster has.
THREADS = 16

#: Seconds without any Pod bound after which nothing is expected any more.
_PATIENCE = 180.0

_DRIVER, _CLASS, _TEMPLATE = "bench.example", "bench", "device"
_GROUP = "/apis/resource.k8s.io/v1"
_PODS = "/api/v1/namespaces/default/pods"
_ALLOCATABLE = {"cpu": "64", "memory": "256Gi", "pods": "110"}


def in_parallel(work: Callable[[int], object], numbers: Iterable[int]) -> None:
    """Do something for every number, by so many threads; raises what any of them raises."""
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(work, numbers):
            pass


def furnish(server: Server, nodes: int, devices: int) -> None:
    """Create nodes without kubelet, a slice for each, a class and a template of claims."""
    selector = {"cel": {"expression": f'device.driver == "{_DRIVER}"'}}
    server.ask("POST", f"{_GROUP}/deviceclasses", _class(selector))
    server.ask("POST", f"{_GROUP}/namespaces/default/resourceclaimtemplates", _template())

    def furnish_one(number: int) -> None:
        name = f"bare-{number}"
        server.ask("POST", "/api/v1/nodes", _node(name))
        status = {"status": {"allocatable": _ALLOCATABLE, "capacity": _ALLOCATABLE}}
        ready = {"type": "Ready", "status": "True", "reason": "Bare", "message": "no kubelet"}
        status["status"]["conditions"] = [ready]
        server.ask("PATCH", f"/api/v1/nodes/{name}/status", status, MERGE_PATCH)
        server.ask("POST", f"{_GROUP}/resourceslices", _slice(name, devices))

    in_parallel(furnish_one, range(nodes))


class Pods:
    """Creates, finishes and removes Pods, and knows when each of them was bound.

    Times are seconds of ``time.perf_counter``. A Pod counts from before its creation was sent
    until the event with its node arrived.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._created: dict[str, float] = {}
        self._bound: dict[str, float] = {}
        self._gone: set[str] = set()
        self._changed = threading.Condition()
        version = server.ask("GET", f"{_PODS}?limit=1")["metadata"]["resourceVersion"]
        self._watch = threading.Thread(target=self._follow, args=(version,), daemon=True)
        self._watch.start()

    @property
    def bound(self) -> set[str]:
        """Return the Pods that were seen with a node."""
        return set(self._bound)

    def close(self) -> None:
        """Wait for the end of the watch, which comes when the server goes."""
        self._watch.join()

    def create(self, name: str) -> None:
        """Create a Pod that wants one device."""
        self._created[name] = time.perf_counter()
        self._server.ask("POST", _PODS, _pod(name))

    def finish(self, name: str) -> None:
        """Let a Pod succeed, as its kubelet would say, and delete it as its Job would."""
        path = f"{_PODS}/{name}"
        done = {"status": {"phase": "Succeeded"}}
        self._server.ask("PATCH", f"{path}/status", done, MERGE_PATCH)
        now = {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0}
        self._server.ask("DELETE", path, now)

    def await_bound(self, names: Iterable[str]) -> list[float]:
        """Wait until all of them have a node, and return how long each of them took."""
        asked = list(names)
        self._await(lambda: sum(name in self._bound for name in asked), len(asked))
        return [self._bound[name] - self._created[name] for name in asked]

    def await_gone(self, names: Iterable[str]) -> None:
        """Wait until none of them exists any more."""
        asked = list(names)
        self._await(lambda: sum(name in self._gone for name in asked), len(asked))

    def span(self, names: Iterable[str]) -> float:
        """Return the seconds from the first creation to the last binding."""
        asked = list(names)
        return max(self._bound[one] for one in asked) - min(self._created[one] for one in asked)

    def _await(self, count: Callable[[], int], wanted: int) -> None:
        reached, since = -1, time.monotonic()
        while (now := count()) < wanted:
            if now > reached:
                reached, since = now, time.monotonic()
            if time.monotonic() - since > _PATIENCE:
                raise NotMeasuredError(f"{now} of {wanted} Pods after {_PATIENCE:.0f} s of quiet")
            with self._changed:
                self._changed.wait(0.05)

    def _follow(self, version: str) -> None:
        # When the server is gone, so is whoever waits here.
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                # A real server ends a watch whose reader is slow; one goes on where it ended.
                for event in self._server.watch(_PODS, version):
                    version = event["object"]["metadata"]["resourceVersion"]
                    self._see(event["type"], event["object"])

    def _see(self, kind: str, pod: Object) -> None:
        name = pod["metadata"]["name"]
        if kind == "DELETED":
            self._gone.add(name)
        elif name not in self._bound and pod["spec"].get("nodeName"):
            self._bound[name] = time.perf_counter()
        else:
            return
        with self._changed:
            self._changed.notify_all()


def _node(name: str) -> Object:
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


def _slice(node: str, devices: int) -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{_DRIVER}"},
        "spec": {
            "driver": _DRIVER,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": [_device(node, number) for number in range(devices)],
        },
    }


def _device(node: str, number: int) -> Object:
    return {
        "name": f"device-{number}",
        "attributes": {
            "index": {"int": number},
            "model": {"string": "bench-1"},
            "serial": {"string": f"{node}-{number}"},
        },
        "capacity": {"memory": {"value": "80Gi"}},
    }


def _class(selector: Object) -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": _CLASS},
        "spec": {"selectors": [selector]},
    }


def _template() -> Object:
    request = {"name": "device", "exactly": {"deviceClassName": _CLASS}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": _TEMPLATE, "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }


def _pod(name: str) -> Object:
    resources = {"requests": {"cpu": "10m", "memory": "16Mi"}, "claims": [{"name": "device"}]}
    claim = {"name": "device", "resourceClaimTemplateName": _TEMPLATE}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "bench"}},
        "spec": {
            "containers": [{"name": "main", "image": "bench", "resources": resources}],
            "resourceClaims": [claim],
            "restartPolicy": "Never",
        },
    }
