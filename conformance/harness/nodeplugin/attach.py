"""Put a driver double on a node of a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from conformance.harness.claims import CLAIMS
from conformance.harness.errors import Unsupported
from conformance.harness.nodeplugin.calls import Call
from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.pods import PODS
from conformance.harness.target import CAPABILITIES, NODE_ACCESS, NodeAccess
from conformance.harness.world import World


def reachable_node(world: World) -> NodeAccess:
    """Return a node whose kubelet directories we reach; raises ``Unsupported``."""
    for access in world.cluster.node_access():
        return access
    raise Unsupported(f"the check needs {CAPABILITIES[NODE_ACCESS]}, the target has none")


def attach(
    world: World,
    *,
    driver: str = "",
    plugin_version: str = "v1",
    health_version: str | None = "v1",
) -> DriverDouble:
    """Return a double on a node that is reached, by default of the world's driver."""
    access = reachable_node(world)
    return DriverDouble(
        access,
        driver=driver or world.driver,
        fetch_claim=lambda namespace, name: world.api.get(CLAIMS, name, namespace),
        plugin_version=plugin_version,
        health_version=health_version,
    )


@contextmanager
def attached(
    world: World,
    *,
    driver: str = "",
    plugin_version: str = "v1",
    health_version: str | None = "v1",
) -> Iterator[DriverDouble]:
    """Run a double, by default of the world's driver, until the check ends.

    The world's Pods go first: without its driver a kubelet can't let go of their claims.
    """
    with present(
        world,
        attach(world, driver=driver, plugin_version=plugin_version, health_version=health_version),
    ) as double:
        yield double


@contextmanager
def present(world: World, double: DriverDouble) -> Iterator[DriverDouble]:
    """Run a double and have it registered; the world's Pods go before it does."""
    with double:
        try:
            await_registration(world, double)
            yield double
        finally:
            drain(world, double)


def drain(world: World, double: DriverDouble) -> None:
    """Let the double obey again, delete every Pod of the world and wait until all are gone."""
    double.plan.obey("NodePrepareResources")
    double.plan.obey("NodeUnprepareResources")
    double.plan.resume()
    delete_pods(world)


def delete_pods(world: World) -> None:
    """Delete every Pod of the world and wait until all are gone."""
    names = [pod["metadata"]["name"] for pod in world.api.list(PODS, world.namespace)]
    for name in names:
        world.pods.delete(name, grace=1)
    for name in names:
        world.pods.gone(name)


def await_call(
    world: World, double: DriverDouble, method: str, *, bound: str, error: str | None = None
) -> Call:
    """Wait until the kubelet made a call, one with that answer where ``error`` is given."""

    def made() -> Call | None:
        return next((c for c in double.calls.of(method) if error in (None, c.error)), None)

    found: Callable[[], Call | None] = made
    call = world.until(f"the kubelet calls {method}", found, bound=bound)
    assert call is not None
    return call


def await_registration(world: World, double: DriverDouble) -> Call:
    """Wait until the kubelet has taken the double, and return what it said."""
    return await_call(
        world, double, "NotifyRegistrationStatus", bound="plugin-registered", error=""
    )


def done(double: DriverDouble, uid: str) -> list[str]:
    """Return which calls a double has answered without an error for a claim, in order."""
    return [one.method for one in double.calls if uid in one.claim_uids and not one.error]


def await_unprepared(world: World, double: DriverDouble, uid: str) -> None:
    """Wait until a double has undone a claim."""
    world.until(
        f"claim {uid} is unprepared",
        lambda: "NodeUnprepareResources" in done(double, uid),
        bound="kubelet-retry",
    )


def restart_kubelet(world: World, node: str, *doubles: DriverDouble) -> None:
    """Restart the kubelet of a node, and wait until it knows these drivers again."""
    known = {double: len(double.calls.of("NotifyRegistrationStatus")) for double in doubles}
    world.cluster.restart_kubelet(node)
    for double, before in known.items():
        world.until(
            "the driver is registered again",
            lambda double=double, before=before: (
                len(double.calls.of("NotifyRegistrationStatus")) > before
            ),
            bound="plugin-registered",
        )
