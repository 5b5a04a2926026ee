"""The slices of a driver, judged by what no API server can see or refuse."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.harness import expect
from conformance.harness.errors import Undecided, Unsupported, Violation
from conformance.harness.subject import inventory
from conformance.harness.subject.inventory import SLICES, Inventory, Pool
from conformance.harness.subject.life import Life
from conformance.harness.subject.protocol import Driver
from conformance.harness.world import NODES, World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

STANDARD = "resource.kubernetes.io/"


def unresolved_counters(found: Inventory) -> list[str]:
    """Return each counter that a device draws from and its pool does not have."""
    return [
        f"{pool.name}/{device}: {counter_set}/{counter}"
        for pool in found.pools
        for device, counter_set, counter in _drawn(pool)
        if counter not in _counters(pool).get(counter_set, ())
    ]


def qualified_by_itself(found: Inventory, driver: str) -> list[str]:
    """Return names that a driver qualifies with the domain that they have anyway."""
    return [
        f"{device['name']}: {name}"
        for device in found.devices
        for field in ("attributes", "capacity")
        for name in device.get(field) or {}
        if name.startswith(f"{driver}/")
    ]


def unusual(found: Inventory) -> list[str]:
    """Return standard attributes whose values have another form than was agreed on."""
    return [
        f"{device['name']}: {name}: {value}"
        for device in found.devices
        for name, value in (device.get("attributes") or {}).items()
        if name.startswith(STANDARD) and not _is_usual(name.removeprefix(STANDARD), value)
    ]


def ownerless(world: World, found: Inventory) -> list[str]:
    """Return slices of nodes that do not go with their Node."""
    uids = {one["metadata"]["uid"] for one in world.api.list(NODES)}
    return [
        one["metadata"]["name"]
        for one in found.slices
        if one["spec"].get("nodeName")
        and not any(
            row["kind"] == "Node" and row["uid"] in uids
            for row in one["metadata"].get("ownerReferences") or []
        )
    ]


def content(found: Inventory) -> Mapping[str, Object]:
    """Return what each device is, by pool and name."""
    return {f"{pool.name}/{one['name']}": one for pool in found.pools for one in pool.devices}


def same_names(world: World, driver: Driver, before: Inventory) -> Inventory:
    """Return complete pools with devices named as before; raises ``Violation`` for others."""
    found = inventory.complete(inventory.read(world, driver.name))
    expect.same(sorted(content(found)), sorted(content(before)), path="spec.devices[].name")
    return found


def same_content(world: World, driver: Driver, before: Inventory) -> Inventory:
    """Return complete pools with the devices of before; raises ``Violation`` for others."""
    found = same_names(world, driver, before)
    now, then = content(found), content(before)
    changed = [name for name, device in now.items() if device != then[name]]
    expect.same(changed, [], path="spec.devices[]", hint="names that follow identity, not order")
    return found


def written(found: Inventory) -> Mapping[str, str]:
    """Return the version of each slice in the API: every write makes it another one."""
    return {one["metadata"]["uid"]: one["metadata"]["resourceVersion"] for one in found.slices}


def settled(life: Life) -> Inventory:
    """Stand on consistent pools: what the driver publishes, or ``Undecided``."""
    try:
        return life.consistent()
    except Violation as violation:
        raise Undecided("not judged, since the slices form no consistent pools") from violation


def at_rest(life: Life) -> Inventory:
    """Stand on consistent pools of a driver that has done what it does at its start.

    Another check may have ended the driver, so that it was started just now, and its slices are
    still those of its earlier life. Reading them anew it may put them right, which is no write
    without a reason.
    """
    rest = life.world.options.bounds.seconds["driver-at-rest"]
    life.world.patience.elapse(max(0.0, rest - (life.driver.age or 0.0)))
    return settled(life)


def let_lie(life: Life) -> None:
    """Let a driver that updates its slices grow older than what it remembers of doing so.

    What it has updated itself its library may take for present, however it is deleted in the
    next half minute (see the note of DRA-PUB-04). An update that changes nothing leaves no trace
    in the slice, only in what the API server remembers; where it tells of nothing, nothing is
    waited for.
    """
    try:
        acts = life.world.cluster.access_log()
    except Unsupported:
        return
    updates = any(one.verb == "update" and one.resource == SLICES.plural for one in acts)
    if updates and life.driver.age is not None:
        lasts = life.world.options.bounds.seconds["slice-remembered"]
        life.steps.elapse(max(0.0, lasts - life.driver.age))


def untouched(world: World, driver: Driver, before: Inventory) -> Inventory:
    """Return slices that nobody wrote; raises ``Violation``, ``Undecided`` for other devices."""
    found = inventory.read(world, driver.name)
    if content(found) != content(before):
        raise Undecided("not judged, since the devices of the driver changed meanwhile")
    expect.same(written(found), written(before), path="metadata.resourceVersion of each slice")
    return found


def restart(life: Life) -> None:
    """Let the driver end by SIGTERM, and start it again."""
    driver = life.driver
    driver.must_be_ours("restarts the driver")
    driver.terminate()
    driver.start()
    with contextlib.suppress(Undecided):
        # Where its socket is not reached, its slices alone tell of it.
        life.socket()


def _start_anew(life: Life) -> None:
    """Let the driver end by SIGTERM, and start it again where it has no slices."""
    life.driver.terminate()
    for one in inventory.read(life.world, life.driver.name).slices:
        life.world.api.delete(SLICES, one["metadata"]["name"])
    life.driver.start()
    with contextlib.suppress(Undecided):
        life.socket()


def lose_one(life: Life) -> None:
    """Delete a slice of the driver as it is published now; raises ``Undecided`` without any.

    A driver, or a kubelet whose driver is gone, may be quicker than we are.
    """
    for one in inventory.read(life.world, life.driver.name).slices:
        try:
            life.world.api.delete(SLICES, one["metadata"]["name"])
        except StatusError as error:
            if error.code != expect.NOT_FOUND:
                raise
        else:
            return
    raise Undecided("not judged, since the slices of the driver went before one was deleted")


@contextlib.contextmanager
def one_removed(life: Life, before: Inventory) -> Iterator[None]:
    """Delete a slice behind the driver's back (see ``restored``)."""
    let_lie(life)
    lose_one(life)
    with restored(life, before):
        yield


@contextlib.contextmanager
def restored(life: Life, before: Inventory) -> Iterator[None]:
    """See to it that the driver publishes at the end what it did before.

    If it does not do so by itself it is started again, without slices to put right: what a
    driver has updated itself its library may take for present, long after it was deleted (see
    DRA-PUB-04), and other checks must not suffer for it.
    """
    try:
        yield
    finally:
        if content(inventory.read(life.world, life.driver.name)) != content(before):
            _start_anew(life)
            with contextlib.suppress(Violation, Undecided):
                life.world.until(
                    "the driver publishes what it did before",
                    lambda: same_content(life.world, life.driver, before),
                    bound="driver-answers",
                )


def _drawn(pool: Pool) -> Iterator[tuple[str, str, str]]:
    for device in pool.devices:
        for row in device.get("consumesCounters") or []:
            for counter in row.get("counters") or {}:
                yield device["name"], row["counterSet"], counter


def _counters(pool: Pool) -> Mapping[str, frozenset[str]]:
    return {
        one["name"]: frozenset(one.get("counters") or {})
        for part in pool.slices
        for one in part["spec"].get("sharedCounters") or []
    }


def _is_usual(name: str, value: Object) -> bool:
    return _FORMS[name](value) if name in _FORMS else True


def _matches(pattern: str) -> Callable[[Object], bool]:
    form = re.compile(pattern)

    def check(value: Object) -> bool:
        texts = [value["string"]] if "string" in value else value.get("strings")
        return bool(texts) and all(form.fullmatch(one) for one in texts or [])

    return check


def _nodes(value: Object) -> bool:
    numbers: list[Any] = [value["int"]] if "int" in value else value.get("ints") or []
    return bool(numbers) and all(number >= 0 for number in numbers)


#: k8s.io/dynamic-resource-allocation/deviceattribute, v0.37.2.
_FORMS: Mapping[str, Callable[[Object], bool]] = {
    "pcieRoot": _matches(r"pci[0-9a-f]{4,}:[0-9a-f]{2}"),
    "pciBusID": _matches(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]"),
    "numaNode": _nodes,
}
