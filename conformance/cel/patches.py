"""Expressions whose value is a JSON patch: what policies are written in that change objects.

The dialect is that of ``expression`` with the type ``JSONPatch`` of Kubernetes (KEP-3962), whose
fields are op, path, from and value; ``Object`` and its fields are not there.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, struct_pb2

from conformance.cel.errors import CompileError, EvaluationError
from conformance.cel.expression import Expression, compiled
from conformance.kube.objects import Object

_LIST = "LIST<JSONPatch>"
_TEXTS = ("op", "path", "from")


@attrs.frozen(kw_only=True)
class Patch:
    """A compiled expression of a patch."""

    expression: Expression

    def operations(self, values: Mapping[str, Any]) -> Sequence[Object]:
        """Return the operations for these variables; raises ``EvaluationError``."""
        return [_operation(one) for one in self.expression.evaluate(values)]


def compile_patch(text: str, variables: tuple[str, ...]) -> Patch:
    """Return the patch that a text spells; raises ``CompileError``."""
    expression = compiled(text, variables, pool=_pool())
    kind = expression.program.return_type().name()
    if kind != _LIST:
        raise CompileError(f"must be a list of JSONPatch, not {kind.lower()}")
    return Patch(expression=expression)


def _operation(message: Any) -> Object:
    try:
        found = json_format.MessageToDict(message, preserving_proto_field_name=True)
    except (json_format.Error, AttributeError) as error:
        raise EvaluationError(str(error)) from error
    return _whole(found)


def _whole(value: Any) -> Any:
    """Return a value whose numbers without a fraction are integers, as JSON has them."""
    if isinstance(value, dict):
        holder: Object = value
        return {key: _whole(one) for key, one in holder.items()}
    if isinstance(value, list):
        rows: list[Any] = value
        return [*map(_whole, rows)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@functools.cache
def _pool() -> Any:
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name="jsonpatch.proto", syntax="proto3", dependency=[struct_pb2.DESCRIPTOR.name]
    )
    message = file.message_type.add(name="JSONPatch")
    for number, name in enumerate(_TEXTS, start=1):
        message.field.add(
            name=name, number=number, type=kinds.TYPE_STRING, label=kinds.LABEL_OPTIONAL
        )
    message.field.add(
        name="value",
        number=len(_TEXTS) + 1,
        type=kinds.TYPE_MESSAGE,
        type_name=".google.protobuf.Value",
        label=kinds.LABEL_OPTIONAL,
    )
    pool: Any = descriptor_pool.DescriptorPool()
    for known in (struct_pb2.DESCRIPTOR.serialized_pb, file.SerializeToString()):
        pool.AddSerializedFile(known)
    return pool
