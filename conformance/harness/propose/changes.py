"""A copy of an object with other values at some paths."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

from conformance.kube.objects import Object


class _Drop(Enum):
    DROP = "drop"


#: As a value: the field is taken away.
DROP = _Drop.DROP

#: Paths with the value that each is to have.
Changes = Mapping[str, Any]

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def changed(obj: Object, changes: Changes) -> Object:
    """Return a copy of ``obj`` with these values at these paths (``spec.devices[0].name``).

    Objects that are missing on the way are made. Raises ``LookupError`` for an item that a
    list does not have.
    """
    result = copy.deepcopy(obj)
    for path, value in changes.items():
        *way, last = [int(index) if index else name for name, index in _STEP.findall(path)]
        holder: Any = result
        for step in way:
            holder = holder[step] if isinstance(step, int) else holder.setdefault(step, {})
        if value is DROP:
            holder.pop(last, None)
        else:
            holder[last] = copy.deepcopy(value)
    return result


def without_dropped(**fields: Any) -> Object:
    """Return the fields that are not ``DROP``."""
    return {name: value for name, value in fields.items() if value is not DROP}
