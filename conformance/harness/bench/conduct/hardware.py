"""The hardware of a driver on the bench: devices go, come back, fail and recover."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from conformance.harness import expect
from conformance.harness.bench import publication
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.handmade import Place
from conformance.harness.errors import HarnessError, Undecided, Unsupported, Violation
from conformance.harness.subject import inventory
from conformance.harness.subject.inventory import Inventory
from conformance.harness.subject.life import Life
from conformance.kube.objects import Object

#: More devices than a hook should be asked to take away one by one.
_MANY = 16

#: Seconds after which a time is another one: the API keeps whole seconds.
_ANOTHER_TIME = 2.0


@contextlib.contextmanager
def without(bench: Bench, *places: Place) -> Iterator[None]:
    """Let devices be gone for a while, and published again before others look for them."""
    before = described(bench)
    for place in places:
        bench.driver.take_away(place.device)
    try:
        yield
    finally:
        for place in places:
            bench.driver.bring_back(place.device)
        _settle(bench, before)


@contextlib.contextmanager
def failing(bench: Bench, *places: Place) -> Iterator[None]:
    """Let the first device fail, and all of them be well again in the end."""
    before = described(bench)
    bench.driver.set_health(places[0].device, "Unhealthy", "on fire")
    try:
        yield
    finally:
        for place in places:
            bench.driver.set_health(place.device, "Healthy")
        _settle(bench, before)


def everything(bench: Bench) -> list[Place]:
    """Stand on published devices: every device of the driver; raises ``Unsupported`` for many."""
    bench.driver.must_be_ours("takes every device away")
    found = sorted(Life(bench.world, bench.driver).inventory().names)
    if len(found) > _MANY:
        raise Unsupported(f"the check takes every device away, and there are {len(found)}")
    return [Place(pool, device) for pool, device in found]


def described(bench: Bench) -> Mapping[str, Object]:
    """Stand on what the driver publishes: what each device is, by pool and name."""
    Life(bench.world, bench.driver).inventory()
    return publication.content(_read(bench))


def withdrawn(bench: Bench, *places: Place) -> None:
    """Wait until no slice offers the devices; raises ``Violation``."""

    def look() -> bool:
        offered = sorted(_names(places) & _read(bench).names)
        expect.same(offered, [], path="spec.devices[].name", hint="nothing that is gone")
        return True

    bench.world.until("the driver withdraws what is gone", look, bound="slice-published")


def gone(bench: Bench, *places: Place) -> None:
    """Stand on devices that no slice offers, or raise ``Undecided``."""
    try:
        withdrawn(bench, *places)
    except Violation as violation:
        raise Undecided("not judged, since a device that is gone is offered") from violation


def others_stay(bench: Bench, place: Place, before: Mapping[str, Object]) -> None:
    """Expect that all devices but one are what they were, and stay so; raises ``Violation``.

    Devices that draw from counters may share hardware with the one.
    """
    wanted = {
        name: one
        for name, one in before.items()
        if name != _name(place) and not one.get("consumesCounters")
    }

    def look() -> bool:
        found = publication.content(_read(bench))
        changed = [name for name, device in wanted.items() if found.get(name) != device]
        expect.same(changed, [], path="spec.devices[]", hint="names that follow identity")
        return True

    bench.world.stays("other devices are what they were", look, for_="slices-settled")


def complete(bench: Bench) -> None:
    """Wait until the pools of the driver are complete, and expect that they stay so."""

    def look() -> bool:
        inventory.complete(_read(bench))
        return True

    bench.world.until("every pool is complete", look, bound="slice-published")
    bench.world.stays("every pool is complete", look, for_="slices-settled")


def as_before(bench: Bench, before: Mapping[str, Object]) -> None:
    """Wait until the driver publishes what it did before; raises ``Violation``."""

    def look() -> bool:
        found = publication.content(_read(bench))
        other = sorted(name for name in before if found.get(name) != before[name])
        expect.same(other, [], path="spec.devices[]", hint="devices as they were before")
        return True

    bench.world.until("the driver publishes what is there", look, bound="slice-published")


def unusable(bench: Bench, place: Place) -> None:
    """Wait until a device is tainted or withdrawn; raises ``Violation``."""
    bench.world.until(
        "the driver marks a device that fails",
        lambda: _not_usable(bench, place),
        bound="slice-published",
    )


def marked(bench: Bench, place: Place) -> None:
    """Stand on a device that is tainted or withdrawn, or raise ``Undecided``."""
    try:
        unusable(bench, place)
    except Violation as violation:
        raise Undecided("not judged, since a device that fails is offered") from violation


def stays_unusable(bench: Bench, place: Place) -> None:
    """Expect that a device is tainted or withdrawn, and stays so; raises ``Violation``."""
    bench.world.stays(
        "the device is not offered as before",
        lambda: _not_usable(bench, place),
        for_="slices-settled",
    )


def tainted(bench: Bench, place: Place) -> list[Object]:
    """Stand on a device with taints, and return them; raises ``Unsupported``."""
    marked(bench, place)
    taints: list[Object] = described(bench).get(_name(place), {}).get("taints") or []
    if not taints:
        raise Unsupported("the check needs a driver that taints, and this one withdraws")
    return taints


def next_second(bench: Bench) -> None:
    """Let so much time pass that a taint that is added now has another time."""
    bench.world.patience.elapse(_ANOTHER_TIME)


def _not_usable(bench: Bench, place: Place) -> bool:
    device = publication.content(_read(bench)).get(_name(place))
    expect.that(
        device is None or bool(device.get("taints")),
        f"no {place.device}, or one with a taint",
        path="spec.devices[]",
        observed="a device without taints",
    )
    return True


def _settle(bench: Bench, before: Mapping[str, Object]) -> None:
    """Let the driver find what is back; whether it does is judged by DRA-DIN-08 alone."""
    with contextlib.suppress(Violation, HarnessError):
        bench.world.until(
            "the driver publishes what it did before",
            lambda: publication.content(_read(bench)) == before,
            bound="driver-answers",
        )


def _read(bench: Bench) -> Inventory:
    return inventory.read(bench.world, bench.driver.name)


def _names(places: tuple[Place, ...]) -> frozenset[tuple[str, str]]:
    return frozenset((one.pool, one.device) for one in places)


def _name(place: Place) -> str:
    return f"{place.pool}/{place.device}"
