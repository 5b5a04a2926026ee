"""gRPC calls with a deadline on the kubelet's clock, and the channels that they go through."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import grpc
import grpc.aio

from conformance.reference.clock import Clock

#: A Unix socket has no host name: without this, servers written in Go refuse the request.
_OPTIONS: list[tuple[str, Any]] = [
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.use_local_subchannel_pool", 1),
]


#: Real seconds after which a peer counts as hung, so that time passes for it as well.
PATIENCE = 2.0


class CallError(RuntimeError):
    """A gRPC call ended with an error, or did not end in time.

    ``code`` is how gRPC names the end in Go; ``Unimplemented`` tells that the peer does not
    have the method at all.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


def open_channel(endpoint: str) -> grpc.aio.Channel:
    """Return a channel to a Unix socket; it connects when it is first asked to."""
    return grpc.aio.insecure_channel(f"unix:{endpoint}", options=_OPTIONS)


async def within(clock: Clock, seconds: float, call: Awaitable[Any], *, peer: str = "") -> Any:
    """Return the answer of a call that the peer has to give within so many seconds.

    Raises ``CallError``. The clock stands still while the peer, at the address ``peer``, works on
    its answer.
    """
    answer: asyncio.Future[Any] = asyncio.ensure_future(call)
    deadline = asyncio.ensure_future(clock.sleep(seconds))
    try:
        both: set[asyncio.Future[Any]] = {answer, deadline}
        with clock.calling(peer):
            await asyncio.wait(both, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            sentence = f"no answer within {seconds:g} s: DeadlineExceeded"
            raise CallError(sentence, code="DeadlineExceeded")
        return answer.result()
    except grpc.aio.AioRpcError as error:
        raise failure_of(error) from error
    finally:
        deadline.cancel()
        answer.cancel()


def failure_of(error: grpc.aio.AioRpcError) -> CallError:
    """Return a gRPC error as ``CallError``, worded as gRPC words it."""
    code = error.code()
    return CallError(
        f"rpc error: code = {code.name} desc = {error.details()}",
        code="".join(word.capitalize() for word in code.name.split("_")),
    )
