"""Noting what was said to a driver over gRPC, as evidence of the check that said it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict

from conformance.harness.exchange import Exchange

#: Keeps an exchange.
Note = Callable[[Exchange], None]


def nowhere(_exchange: Exchange) -> None:
    """Keep nothing."""


def noted(
    note: Note, name: tuple[str, str], call: Callable[..., Any], request: Any, seconds: float
) -> Any:
    """Make a call and note it; raises ``grpc.RpcError`` as the call does.

    ``name`` is that of the service and of its method, ``call`` that method of a stub, and
    ``seconds`` what it may take.
    """
    try:
        answer = call(request, timeout=seconds)
    except grpc.RpcError as error:
        failed: Any = error
        note(exchange(name, request, failed.code().name, failed.details()))
        raise
    note(exchange(name, request, "OK", answer))
    return answer


def exchange(name: tuple[str, str], request: Any, status: str, answer: Any) -> Exchange:
    """Return a call with its answer, a message, or with the words of its error."""
    service, method = name
    return Exchange(
        kind="grpc",
        method=method,
        path=service,
        request=_spelled(request),
        status=status,
        response=answer if isinstance(answer, str) else _spelled(answer),
    )


def _spelled(message: Any) -> Any:
    """Return a message as JSON, with the names of its fields as in the interface."""
    return MessageToDict(message, preserving_proto_field_name=True)
