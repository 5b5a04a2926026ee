"""The status of resource pools: asked for by a request, waited for, read by pool name."""

from __future__ import annotations

from typing import Any

from conformance.harness import expect
from conformance.harness.client import known
from conformance.harness.errors import Violation
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

REQUESTS = known("resource.k8s.io", "v1alpha3", "resourcepoolstatusrequests")


def ask(world: World, suffix: str = "request", **spec: Any) -> Object:
    """Ask for the status of the pools of the world's driver; raises ``StatusError``."""
    objects = world.apply(
        "pool_status/request", suffix=suffix, spec={"driver": world.driver, **spec}
    )
    return objects.of(REQUESTS.kind)


def processed(world: World, request: Object) -> Object:
    """Wait until a request is processed, and return its status."""

    def status() -> Object:
        return expect.present(world.read(request), "status")

    return world.until("the request is processed", status, bound="pool-status-processed")


def answer(world: World, suffix: str = "request", **spec: Any) -> Object:
    """Ask for the status of the pools of the world's driver, and return it."""
    return processed(world, ask(world, suffix, **spec))


def of(status: Object, name: str) -> Object:
    """Return the entry of one pool; raises ``Violation``."""
    pools: list[Object] = status.get("pools") or []
    for pool in pools:
        if pool.get("poolName") == name:
            return pool
    raise Violation(f"an entry for pool {name}", path="status.pools", observed=pools)


def gone(world: World, request: Object) -> bool:
    """Tell whether a request was removed."""
    try:
        world.read(request)
    except StatusError as error:
        if error.code == expect.NOT_FOUND:
            return True
        raise
    return False
