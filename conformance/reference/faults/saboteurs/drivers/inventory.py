"""Saboteurs of hardware that comes and goes: what each does stands in ``driver_inventory.yaml``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

#: So many devices the bundled driver has.
_ALL = 2

_Update = Callable[[Any, Any], None]


def shrinks(config: Any) -> bool:
    """Tell whether a device is gone."""
    return len(config.devices) < _ALL


def overlook(real: _Update, publisher: Any, config: Any) -> None:
    """Take no notice of devices that are gone."""
    if not shrinks(config):
        real(publisher, config)


def keep_the_last(real: _Update, publisher: Any, config: Any) -> None:
    """Publish nothing rather than that there is nothing."""
    if config.devices:
        real(publisher, config)


def count_anew(real: _Update, publisher: Any, config: Any) -> None:
    """Give every device that is left an index of its own."""
    devices = [_with_index(one, 100 + at) for at, one in enumerate(config.devices)]
    real(publisher, attrs.evolve(config, devices=devices) if shrinks(config) else config)


def one_slice_more(real: Callable[..., list[Object]], config: Any, *given: Any) -> list[Object]:
    """Count a slice that is not there."""
    specs = real(config, *given)
    if not shrinks(config):
        return specs
    count = len(specs) + 1
    return [{**one, "pool": {**one["pool"], "resourceSliceCount": count}} for one in specs]


class NeverMore:
    """Remembers how many devices each process of a driver published last."""

    def __init__(self) -> None:
        self._last: dict[Any, int] = {}

    def __call__(self, real: _Update, publisher: Any, config: Any) -> None:
        """Take no notice of devices that are there again."""
        if len(config.devices) > self._last.get(publisher, _ALL):
            return
        self._last[publisher] = len(config.devices)
        real(publisher, config)


def _specs_without_device(
    checkpoint: Any, folder: Path, present: Collection[str]
) -> Iterator[Path]:
    for claim in checkpoint.claims():
        if any(one.device not in present for one in claim.devices):
            yield from folder.glob(f"*{claim.uid}*.json")


def mislay(real: Callable[..., None], *given: Any) -> None:
    """Put the specs under another name."""
    real(*given)
    for path in _specs_without_device(*given):
        path.rename(path.with_name(f"mislaid-{path.name}"))


def drop(real: Callable[..., None], *given: Any) -> None:
    """Remove the specs."""
    real(*given)
    for path in _specs_without_device(*given):
        path.unlink()


def offer_all(_real: Any, _preparation: Any, _devices: Sequence[Object]) -> None:
    """Go on to prepare what was there once."""


def all_or_nothing(real: Any, preparation: Any, devices: Sequence[Object]) -> None:
    """Offer nothing while a device is missing."""
    real(preparation, [] if len(devices) < _ALL else devices)


def taint_none(real: Callable[..., Any], *given: Any) -> Mapping[str, list[Object]]:
    """Mark nothing."""
    return {name: [] for name in real(*given)}


def taint_all(real: Callable[..., Any], *given: Any) -> Mapping[str, list[Object]]:
    """Mark everything with what one has."""
    found = real(*given)
    shared = next((taints for taints in found.values() if taints), [])
    return dict.fromkeys(found, shared)


class ForGood:
    """Remembers every taint."""

    def __init__(self) -> None:
        self._taints: dict[tuple[str, str], Any] = {}

    def __call__(self, real: _Update, publisher: Any, config: Any) -> None:
        """Publish them again."""
        for one in config.devices:
            if one.get("taints"):
                self._taints[config.name, one["name"]] = one["taints"]
        known = [(one, self._taints.get((config.name, one["name"]))) for one in config.devices]
        devices = [{**one, "taints": taints} if taints else one for one, taints in known]
        real(publisher, attrs.evolve(config, devices=devices))


def new_times(_real: Any, _before: Object, after: Object) -> Object:
    """Let the API server say when a taint was added."""
    return after


class CleanSlate:
    """Remembers which process of a driver was the first."""

    def __init__(self) -> None:
        self._first: dict[str, Any] = {}

    def __call__(self, real: _Update, publisher: Any, config: Any) -> None:
        """Publish no taint by another one."""
        if self._first.setdefault(config.name, publisher) is publisher:
            real(publisher, config)
            return
        bare = [{k: v for k, v in one.items() if k != "taints"} for one in config.devices]
        real(publisher, attrs.evolve(config, devices=bare))


def _with_index(device: Object, index: int) -> Object:
    return {**device, "attributes": {**device["attributes"], "index": {"int": index}}}


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-overlooks-that-devices-go": overlook,
    "driver-keeps-its-last-device": keep_the_last,
    "driver-counts-anew": count_anew,
    "driver-counts-slices-of-yore": one_slice_more,
    "driver-mislays-specs": mislay,
    "driver-prepares-what-is-gone": offer_all,
    "driver-drops-specs-of-what-is-gone": drop,
    "driver-never-looks-for-more": NeverMore(),
    "driver-mourns": all_or_nothing,
    "driver-never-taints": taint_none,
    "driver-taints-all": taint_all,
    "driver-taints-for-good": ForGood(),
    "driver-renews-taints": new_times,
    "driver-starts-with-a-clean-slate": CleanSlate(),
}
