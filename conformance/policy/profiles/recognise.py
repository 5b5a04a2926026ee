"""Tell which systems are installed where objects come from."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from conformance.kube.objects import Object
from conformance.policy.profiles import loading
from conformance.policy.profiles.model import Caveat, Component, Recognised, System
from conformance.policy.world import items, part, text


@frozen(kw_only=True)
class _Installed:
    """What of the objects tells about systems."""

    #: Driver to the number of its slices.
    slices: Mapping[str, int]
    classes: frozenset[str]
    #: Kind, name and images of each workload.
    workloads: tuple[tuple[str, str, tuple[str, ...]], ...]


def recognise(
    objects: Iterable[Object], systems: Sequence[System] | None = None
) -> tuple[Recognised, ...]:
    """Return the systems that any class, slice or workload shows, in the order of their names."""
    installed = _installed(objects)
    found: list[Recognised] = []
    for system in loading.systems() if systems is None else systems:
        evidence = tuple(_evidence(system, installed))
        if evidence:
            found.append(
                Recognised(
                    system=system,
                    evidence=evidence,
                    missing=tuple(_missing(system, installed)),
                    caveats=tuple(_caveats(system, installed)),
                )
            )
    return tuple(found)


def _installed(objects: Iterable[Object]) -> _Installed:
    slices: Counter[str] = Counter()
    classes: set[str] = set()
    workloads: list[tuple[str, str, tuple[str, ...]]] = []
    for one in objects:
        kind = text(one.get("kind"))
        name = text(part(one, "metadata").get("name"))
        if kind == "ResourceSlice":
            slices[text(part(one, "spec").get("driver"))] += 1
        elif kind == "DeviceClass":
            classes.add(name)
        elif kind in ("DaemonSet", "Deployment"):
            workloads.append((kind, name, _images(one)))
    return _Installed(slices=slices, classes=frozenset(classes), workloads=tuple(workloads))


def _images(workload: Object) -> tuple[str, ...]:
    """Return the last part of each image's name, without tag and digest."""
    containers = items(part(workload, "spec", "template", "spec").get("containers"))
    names = [text(one.get("image")).split("@")[0].rsplit("/", 1)[-1] for one in containers]
    return tuple(name.split(":")[0] for name in names)


def _evidence(system: System, installed: _Installed) -> Iterable[str]:
    for name in (*system.classes, *system.optional_classes):
        if name in installed.classes:
            yield f"DeviceClass {name}"
    for driver in system.drivers:
        if count := installed.slices.get(driver, 0):
            yield f"ResourceSlices of {driver} ({count})"
    for component in system.components:
        yield from (f"{component.kind} {name}" for name in _running(component, installed))


def _missing(system: System, installed: _Installed) -> Iterable[str]:
    for driver in system.drivers:
        if not installed.slices.get(driver, 0):
            yield f"ResourceSlices of {driver}"
    for name in system.classes:
        if name not in installed.classes:
            yield f"DeviceClass {name}"
    for component in system.components:
        if not component.optional and not _running(component, installed):
            yield f"{component.kind} with an image like {component.image}: {component.sentence}"


def _running(component: Component, installed: _Installed) -> list[str]:
    return [
        name
        for kind, name, images in installed.workloads
        if kind == component.kind and any(fnmatch.fnmatchcase(i, component.image) for i in images)
    ]


def _caveats(system: System, installed: _Installed) -> Iterable[Caveat]:
    for caveat in system.caveats:
        driver = caveat.without_slices_of
        if driver is None or not installed.slices.get(driver, 0):
            yield caveat
