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


def never_more(real: _Update, publisher: Any, config: Any) -> None:
    """Take no notice of devices that are there again."""
    if shrinks(config):
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
    "driver-never-looks-for-more": never_more,
    "driver-mourns": all_or_nothing,
}
