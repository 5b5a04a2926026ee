"""The environments in which selectors are compiled."""

from __future__ import annotations

import functools
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

from conformance.cel import device, library


@functools.cache
def selector_environment(*, multi_allocation: bool) -> Any:
    """Return the environment of device selectors.

    Each field of ``device`` is a variable with a dotted name, which makes the checker refuse
    fields that a device does not have. ``device.allowMultipleAllocations`` is known only with
    DRAConsumableCapacity.
    """
    kinds = cel.Type
    fields = {
        device.DRIVER: kinds.STRING,
        device.ATTRIBUTES: kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, kinds.DYN)),
        device.CAPACITY: kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, library.QUANTITY)),
    }
    if multi_allocation:
        fields[device.MULTI_ALLOCATION] = kinds.BOOL
    return cel.NewEnv(
        variables=fields,
        functions=library.functions(),
        extensions=[
            ext_optional.ExtOptional(),
            ext_strings.ExtStrings(),
            ext_bindings.ExtBindings(),
        ],
    )
