"""Lists: pages, tokens, and the revision whose state is shown.

Source: https://kubernetes.io/docs/reference/using-api/api-concepts/, sections "Retrieving large
results sets in chunks" and "Resource versions".
"""

from __future__ import annotations

import base64
import json

import attrs

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.registry import refusals
from conformance.reference.apiserver.registry.context import Registry, Target, storage_of
from conformance.reference.apiserver.registry.reading import Selection
from conformance.reference.store.history import Compacted

#: In a token: go on with the state of now.
_NOW = "-1"


@attrs.frozen(kw_only=True)
class Page:
    """One page of a list."""

    items: list[Object]
    revision: str
    #: Token of the next page; empty on the last one.
    token: str = ""
    #: How many follow; 0 when that is not told.
    remaining: int = 0


@attrs.frozen(kw_only=True)
class ListOptions:
    """What a client asked of a list."""

    limit: int = 0
    token: str = ""
    version: str = ""
    match: str = ""
    #: Labels or fields are selected: then nobody counts what remains.
    selects: bool = False


def list_page(
    registry: Registry, target: Target, is_selected: Selection, options: ListOptions
) -> Page:
    """Return the selected objects, at most ``limit`` of them after the one in the token.

    Raises ``StatusError``: 400, 410 for a past that is forgotten, 504 for the future.
    """
    start, revision = _begin(registry, options)
    try:
        items = _state(registry, target, revision)
    except Compacted as error:
        raise _forgotten(start) from error
    items = [obj for obj in items if is_selected(obj) and _position(obj) > start]
    shown = str(revision or registry.store.revision)
    # A list from a watch cache, as version 0 asks for, has no pages.
    if not options.limit or len(items) <= options.limit or options.version == "0":
        return Page(items=items, revision=shown)
    return Page(
        items=items[: options.limit],
        revision=shown,
        token=_write_token(_position(items[options.limit - 1]), shown),
        remaining=0 if options.selects else len(items) - options.limit,
    )


def _begin(registry: Registry, options: ListOptions) -> tuple[list[str], int]:
    """Return after which object the page begins, and at which revision (0 is now)."""
    version = options.version
    if version and not version.isdecimal():
        raise status.bad_request(f'resourceVersion: Invalid value: "{version}": invalid syntax')
    if options.token:
        if version not in ("", "0"):
            raise status.bad_request("specifying resource version is not allowed with continue")
        start, revision = _read_token(options.token)
        return start, 0 if revision == _NOW else int(revision)
    wanted = int(version or 0)
    if wanted > registry.store.revision:
        raise refusals.too_large_revision(wanted, registry.store.revision)
    # A version and a limit without a match mean exactly that version.
    is_exact = options.match == "Exact" or (options.limit > 0 and not options.match)
    return [], wanted if is_exact else 0


def _state(registry: Registry, target: Target, revision: int) -> list[Object]:
    storage = storage_of(target.resource)
    if not revision:
        return registry.store.list(storage, target.namespace)
    return registry.store.list_at(storage, revision, target.namespace)


def _forgotten(start: list[str]) -> StatusError:
    error = status.expired("The provided continue parameter or resource version is too old")
    if start:
        error.metadata = {"continue": _write_token(start, _NOW)}
    return error


def _position(obj: Object) -> list[str]:
    return [obj["metadata"].get("namespace", ""), obj["metadata"]["name"]]


def _write_token(start: list[str], revision: str) -> str:
    text = json.dumps({"rv": revision, "start": start})
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_token(token: str) -> tuple[list[str], str]:
    try:
        text = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        return list(text["start"]), str(text["rv"])
    except (ValueError, KeyError, TypeError) as error:
        raise status.bad_request("continue key is not valid") from error
