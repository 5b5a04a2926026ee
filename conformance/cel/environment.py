"""The environments in which selectors are checked."""

from __future__ import annotations

import functools
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_optional

from conformance.cel import declarations
from conformance.cel.errors import CompileError
from conformance.cel.reading import tree
from conformance.cel.tree import Tree

DRIVER = "device.driver"
ATTRIBUTES = "device.attributes"
CAPACITY = "device.capacity"
MULTI_ALLOCATION = "device.allowMultipleAllocations"


@functools.cache
def _environment(*, multi_allocation: bool, list_attributes: bool) -> Any:
    """Return the engine's environment.

    Each field of ``device`` is a variable with a dotted name, which makes the checker refuse
    fields that a device does not have. Attributes are of an unknown type; where they may be
    lists, of one that can be iterated over.
    """
    kinds = cel.Type
    attribute = kinds.DYN if list_attributes else kinds("google.protobuf.Any")
    fields = {
        DRIVER: kinds.STRING,
        ATTRIBUTES: kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, attribute)),
        CAPACITY: kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, kinds("kubernetes.Quantity"))),
    }
    if multi_allocation:
        fields[MULTI_ALLOCATION] = kinds.BOOL
    return cel.NewEnv(
        config=cel.NewEnvConfigFromYaml(declarations.configuration(includes=list_attributes)),
        variables=fields,
        extensions=[ext_optional.ExtOptional(), ext_bindings.ExtBindings()],
    )


def check(expression: str, *, multi_allocation: bool, list_attributes: bool) -> Tree:
    """Return the checked tree of a text; raises ``CompileError``."""
    environment = _environment(multi_allocation=multi_allocation, list_attributes=list_attributes)
    try:
        return tree(environment.compile(expression).serialize())
    except RuntimeError as error:
        detail = str(error).removeprefix("INVALID_ARGUMENT: ").removesuffix(" [INVALID_ARGUMENT]")
        raise CompileError(f"compilation failed: {detail}") from error
