"""Devices at hand, and what selects them: classes, claims and templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from conformance.cel import CompileError, EvaluationError, compile_selector
from conformance.kube.objects import Object
from conformance.policy.world import Subject, World, items, part, text

#: The API server refuses longer selectors (CELSelectorExpressionMaxLength).
LONGEST = 10 * 1024
#: More steps than that no selector for one device needs.
COSTLIEST = 1_000_000
#: Where the devices of a slice without a node of its own can be used.
_ANYWHERE = ""


@frozen(kw_only=True)
class Device:
    """A device of a slice, and the node that can reach it."""

    driver: str
    node: str
    #: As v1 has it; older versions wrap it in ``basic``.
    spec: Object


@frozen(kw_only=True)
class Request:
    """A request, or one of its alternatives."""

    name: str
    spec: Object


def selector_errors(subject: Subject) -> dict[str, str]:
    """Return what is wrong with the selectors of a class, claim or template, by expression."""
    expressions = [
        text(part(selector, "cel").get("expression"))
        for spec in _selecting(subject)
        for selector in items(spec.get("selectors"))
    ]
    return {one: trouble for one in expressions if (trouble := _trouble(one))}


def unsatisfiable(subject: Subject) -> list[str]:
    """Return the requests of a claim or template that no node's devices can satisfy.

    Nothing without slices at hand, and no request whose class is not at hand.
    """
    if not subject.world.once(at_hand):
        return []
    named: dict[str, list[bool]] = {}
    for request in requests(subject):
        named.setdefault(request.name, []).append(_enough(subject.world, request))
    return [name for name, answers in named.items() if not any(answers)]


def devices(subject: Subject) -> Any:
    """Return how many devices at hand a class selects; the devices of a slice."""
    if subject.kind == "ResourceSlice":
        return [one.spec for one in _of_slice(subject.object)]
    return len(_selected(subject.world, [subject.object]))


def at_hand(world: World) -> list[Device]:
    """Return every device of every slice."""
    return [one for each in world.of("ResourceSlice") for one in _of_slice(each)]


def requests(subject: Subject) -> Iterator[Request]:
    """Yield the requests of a claim or template; each alternative is one of its own."""
    root: tuple[str, ...] = ("spec", "spec") if subject.kind.endswith("Template") else ("spec",)
    for one in items(part(subject.object, *root, "devices").get("requests")):
        name = text(one.get("name"))
        exactly, first = part(one, "exactly"), items(one.get("firstAvailable"))
        if exactly:
            yield Request(name=name, spec=exactly)
        for alternative in first:
            yield Request(name=name, spec=alternative)
        if not exactly and not first:
            # Before v1 the fields stood in the request itself.
            yield Request(name=name, spec=one)


def _selecting(subject: Subject) -> list[Object]:
    if subject.kind == "DeviceClass":
        return [part(subject.object, "spec")]
    return [one.spec for one in requests(subject)]


def _trouble(expression: str) -> str:
    if len(expression) > LONGEST:
        return f"is longer than {LONGEST} characters"
    try:
        selector = compile_selector(expression)
    except CompileError as error:
        return " ".join(str(error).split())
    return "costs too much" if selector.cost > COSTLIEST else ""


def _of_slice(one: Object) -> Iterator[Device]:
    spec = part(one, "spec")
    for device in items(spec.get("devices")):
        inner = part(device, "basic")
        merged: Object = {**inner, "name": device.get("name")} if inner else device
        node = text(spec.get("nodeName")) or text(merged.get("nodeName")) or _ANYWHERE
        yield Device(driver=text(spec.get("driver")), node=node, spec=merged)


def _enough(world: World, request: Request) -> bool:
    """Tell whether the devices of one node, with those that any node reaches, are enough."""
    name = text(request.spec.get("deviceClassName"))
    known = world.get("DeviceClass", "", name)
    if known is None or _broken(known) or _broken({"spec": request.spec}):
        return True
    asked = request.spec.get("count", 1)
    count = asked if isinstance(asked, int) and request.spec.get("allocationMode") != "All" else 1
    chosen = _selected(world, [known, {"spec": request.spec}])
    sharing = any(one.spec.get("allowMultipleAllocations") for one in chosen)
    found = Counter(one.node for one in chosen)
    shared = found.pop(_ANYWHERE, 0)
    most = shared + max(found.values(), default=0)
    return most >= count or (sharing and most > 0)


def _broken(holder: Object) -> bool:
    """Tell whether a selector does not compile: that is told elsewhere."""
    selectors = items(part(holder, "spec").get("selectors"))
    return any(_trouble(text(part(one, "cel").get("expression"))) for one in selectors)


def _selected(world: World, holders: list[Object]) -> list[Device]:
    """Return the devices at hand that all selectors of all holders select."""
    devices: list[Device] = world.once(at_hand)
    chosen = set(range(len(devices)))
    for holder in holders:
        for selector in items(part(holder, "spec").get("selectors")):
            chosen &= _matching(world, text(part(selector, "cel").get("expression")))
    return [devices[index] for index in sorted(chosen)]


def _matching(world: World, expression: str) -> frozenset[int]:
    """Return which devices match; many claims ask the same, so each answer is kept."""
    known: dict[str, frozenset[int]] = world.once(_answers)
    if expression not in known:
        devices: list[Device] = world.once(at_hand)
        known[expression] = frozenset(
            index for index, one in enumerate(devices) if _matches(expression, one)
        )
    return known[expression]


def _answers(_: World) -> dict[str, frozenset[int]]:
    return {}


def _matches(expression: str, device: Device) -> bool:
    try:
        return compile_selector(expression).matches(device.driver, device.spec)
    except (CompileError, EvaluationError, ValueError, TypeError, AttributeError):
        # No answer, or a device of the wrong shape: the scheduler does not take it either.
        return False
