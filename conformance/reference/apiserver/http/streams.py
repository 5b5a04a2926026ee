"""Watches: events as lines of JSON in an answer that stays open."""

from __future__ import annotations

import asyncio
import contextlib

from aiohttp import web

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.http import answers
from conformance.reference.apiserver.http.answers import View, encode
from conformance.reference.apiserver.registry import watching
from conformance.reference.apiserver.registry.context import Registry
from conformance.reference.apiserver.registry.reading import Selection
from conformance.reference.apiserver.registry.watching import WatchOptions
from conformance.reference.store.history import Event, Subscription


async def stream(
    request: web.BaseRequest,
    registry: Registry,
    view: View,
    is_selected: Selection,
    options: WatchOptions,
) -> web.StreamResponse:
    """Send a watch until the client goes, ``timeoutSeconds`` pass or the server stops.

    Raises ``StatusError`` before anything was sent.
    """
    target = view.target
    with registry.clock.busy():
        try:
            watch = watching.begin(registry, target, is_selected, options)
        except StatusError as error:
            if error.code != 410:
                raise
            return await _refuse(request, error, registry.warning(target.resource))
        response = await _begin(request, registry.warning(target.resource))
        lines = [_line("ADDED", encode(view.one(obj))) for obj in watch.initial]
        if watch.bookmark:
            lines.append(_bookmark(view, watch.bookmark))
        if lines:
            await response.write(b"".join(lines))
    timer = _start_timer(registry, watch.subscription, request.query.get("timeoutSeconds", ""))
    try:
        await _follow(response, watch.subscription, view, is_selected)
        if options.allow_bookmarks:
            last = watching.bookmark(target, registry.store.revision)
            await response.write(_bookmark(view, last))
        await response.write_eof()
    except ConnectionError:
        pass  # The client went away: that is how watches end.
    finally:
        watch.subscription.close()
        if timer is not None:
            timer.cancel()
    return response


async def _begin(request: web.BaseRequest, warning: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    if warning:
        answers.warned(response, warning)
    response.enable_chunked_encoding()
    await response.prepare(request)
    return response


async def _refuse(request: web.BaseRequest, error: StatusError, warning: str) -> web.StreamResponse:
    """Answer as a watch cache does: the watch begins, and its only event is the error."""
    response = await _begin(request, warning)
    await response.write(_line("ERROR", encode(error.to_object())))
    await response.write_eof()
    return response


async def _follow(
    response: web.StreamResponse, subscription: Subscription, view: View, is_selected: Selection
) -> None:
    while events := await subscription.next():
        lines = [_event_line(event, view, is_selected) for event in events]
        data = b"".join(lines)
        if data:
            await response.write(data)


def _start_timer(
    registry: Registry, subscription: Subscription, seconds: str
) -> asyncio.Task[None] | None:
    if not seconds.isdecimal() or not int(seconds):
        return None

    async def expire() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await registry.clock.sleep(int(seconds))
            subscription.end()

    return asyncio.get_running_loop().create_task(expire())


def _event_line(event: Event, view: View, is_selected: Selection) -> bytes:
    kind = watching.seen_by(event, is_selected)
    if not kind:
        return b""
    if kind == "DELETED" and event.type != "DELETED":
        return _line(kind, encode(view.one(_last_seen(event))))
    if view.accepted.form:
        return _line(kind, encode(view.one(event.object)))
    version = view.target.resource.api_version
    encoded = event.encoded.get(version)
    if encoded is None:
        encoded = event.encoded[version] = encode(view.one(event.object))
    return _line(kind, encoded)


def _last_seen(event: Event) -> Object:
    """Return the state in which the object last matched, at the revision of the event."""
    old = event.old or event.object
    return {**old, "metadata": {**old["metadata"], "resourceVersion": str(event.revision)}}


def _bookmark(view: View, obj: Object) -> bytes:
    if view.accepted.form == "Table":
        table = view.one({"metadata": {**obj["metadata"], "name": ""}, "spec": {"containers": []}})
        obj = {**table, "metadata": obj["metadata"], "rows": []}
    elif view.accepted.form:
        obj = view.one(obj)
    return _line("BOOKMARK", encode(obj))


def _line(kind: str, encoded: bytes) -> bytes:
    return b'{"type":"%s","object":%s}\n' % (kind.encode(), encoded)
