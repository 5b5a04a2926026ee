"""The largest sizes of what a device can hold (``k8s.io/api/resource/v1``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from conformance.cel.cost.sizes import Bounds

_DRIVER, _DOMAIN, _IDENTIFIER = 63, 63, 32
#: Attributes and capacities of one device.
_ENTRIES = 32
#: Letters of the value of an attribute; a list has up to 48 values.
_VALUE = 64


@attrs.frozen(kw_only=True)
class _Shape:
    largest: int
    fields: Mapping[str, _Shape] = attrs.field(factory=dict[str, "_Shape"])
    key: _Shape | None = None
    entry: _Shape | None = None


_ATTRIBUTE = _Shape(largest=_VALUE)
_QUANTITY = _Shape(largest=0)


def _map(key: int, entry: _Shape) -> _Shape:
    return _Shape(largest=_ENTRIES, key=_Shape(largest=key), entry=entry)


_DEVICE = _Shape(
    largest=0,
    fields={
        "driver": _Shape(largest=_DRIVER),
        "allowMultipleAllocations": _Shape(largest=1),
        "attributes": _map(_DOMAIN, _map(_IDENTIFIER, _ATTRIBUTE)),
        "capacity": _map(_DOMAIN, _map(_IDENTIFIER, _QUANTITY)),
    },
)


def size(path: Sequence[str]) -> Bounds | None:
    """Return the size of what a path leads to, such as ``device``, ``attributes``, ``@values``."""
    if not path or path[0] != "device":
        return None
    shape: _Shape | None = _DEVICE
    for step in path[1:]:
        shape = _step(shape, step)
        if shape is None:
            return None
    return Bounds(0, shape.largest)


def _step(shape: _Shape, step: str) -> _Shape | None:
    if step in {"@items", "@values"}:
        return shape.entry
    if step == "@keys":
        return shape.key
    if step in shape.fields:
        return shape.fields[step]
    # Every field of an attribute map is an attribute; other maps are not read that way.
    return _ATTRIBUTE if shape.entry is _ATTRIBUTE else None
