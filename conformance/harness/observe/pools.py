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

#: Seconds for which answers must stay the same before one is believed.
_SETTLED = 1.0


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
    """Ask for the status of the pools of the world's driver until the answer stays the same.

    A controller computes from what it has seen so far, and no document promises that it has
    seen what was written a moment ago: a request never changes, so another one is asked.
    """
    start = world.cluster.time.now()
    answers: list[Object] = []

    def settled() -> Object | None:
        number = f"-{len(answers)}" if answers else ""
        answers.append(processed(world, ask(world, f"{suffix}{number}", **spec)))
        same = [one.get("pools") for one in answers[-2:]]
        is_early = world.cluster.time.now() - start < _SETTLED
        return answers[-1] if len(same) == 2 and same[0] == same[1] and not is_early else None

    found = world.until("the answers stay the same", settled, bound="pool-status-processed")
    assert found is not None
    return found


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
