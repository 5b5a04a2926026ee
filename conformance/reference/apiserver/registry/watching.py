"""Watch: where it starts, and what a change means to a watcher that selects objects.

Source: https://kubernetes.io/docs/reference/using-api/api-concepts/, sections "Efficient
detection of changes", "Streaming lists" and "Watch bookmarks".
"""

from __future__ import annotations

import attrs

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.reference.apiserver.registry import reading, refusals
from conformance.reference.apiserver.registry.context import Registry, Target, storage_of, typed
from conformance.reference.apiserver.registry.reading import Selection
from conformance.reference.store.history import Compacted, Event, Subscription

INITIAL_EVENTS_END = "k8s.io/initial-events-end"


@attrs.frozen(kw_only=True)
class WatchOptions:
    """What a client asked of a watch."""

    resource_version: str = ""
    send_initial_events: bool | None = None
    allow_bookmarks: bool = False


@attrs.frozen(kw_only=True)
class Watch:
    """A watch that has begun: what is sent first, and what follows."""

    #: Objects that are sent as ADDED.
    initial: list[Object]
    subscription: Subscription
    #: The bookmark that ends the initial events, if one was asked for.
    bookmark: Object | None


def begin(
    registry: Registry, target: Target, is_selected: Selection, options: WatchOptions
) -> Watch:
    """Start a watch. Raises ``StatusError``: 410 when its past was compacted, 422, 504."""
    store, storage = registry.store, storage_of(target.resource)
    version = options.resource_version
    wants_state = options.send_initial_events
    if wants_state is None:
        wants_state = version in ("", "0")
    since = reading.revision_of(version)
    if since > store.revision:
        raise refusals.too_large_revision(since, store.revision)
    if wants_state or version in ("", "0"):
        since = store.revision
    try:
        subscription = store.subscribe(storage, since)
    except Compacted as error:
        raise status.expired(f"too old resource version: {since}") from error
    initial: list[Object] = []
    if wants_state:
        initial = [obj for obj in store.list(storage, target.namespace) if is_selected(obj)]
    ending = None
    if options.send_initial_events and options.allow_bookmarks:
        ending = bookmark(target, store.revision, {INITIAL_EVENTS_END: "true"})
    return Watch(initial=initial, subscription=subscription, bookmark=ending)


def bookmark(target: Target, revision: int, annotations: dict[str, str] | None = None) -> Object:
    """Return an object that carries nothing but a revision."""
    meta: Object = {"resourceVersion": str(revision)}
    if annotations:
        meta["annotations"] = annotations
    return typed(target.resource, {"metadata": meta})


def seen_by(event: Event, is_selected: Selection) -> str:
    """Return what an event is to this watcher: ADDED, MODIFIED, DELETED, or empty.

    An object that stops matching the selectors was deleted as far as the watcher knows.
    """
    was = event.old is not None and is_selected(event.old)
    if event.type == "DELETED":
        return "DELETED" if was else ""
    is_now = is_selected(event.object)
    if is_now:
        return "MODIFIED" if was else "ADDED"
    return "DELETED" if was else ""
