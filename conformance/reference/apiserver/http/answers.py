"""What is sent back: objects, lists and Status errors as JSON, in the form that was agreed on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime

import attrs
from aiohttp import web
from multidict import CIMultiDict

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.http import tables
from conformance.reference.apiserver.http.negotiation import Accepted
from conformance.reference.apiserver.registry.context import Target
from conformance.reference.apiserver.registry.listing import Page


@attrs.frozen(kw_only=True)
class View:
    """Of what, in which form, and when an answer is given."""

    target: Target
    accepted: Accepted
    now: datetime
    #: ``(obj, version)``: a stored object as a version spells it.
    from_hub: Callable[[Object, str], Object]

    def one(self, obj: Object) -> Object:
        """Return an object in this form."""
        if self.accepted.form == "Table":
            return self._table([obj], {"resourceVersion": obj["metadata"]["resourceVersion"]})
        if self.accepted.form:
            return self._partial("PartialObjectMetadata", obj["metadata"])
        return self._spelled(obj)

    def many(self, page: Page) -> Object:
        """Return a list in this form."""
        meta: Object = {"resourceVersion": page.revision}
        if page.token:
            meta["continue"] = page.token
        if page.remaining:
            meta["remainingItemCount"] = page.remaining
        if self.accepted.form == "Table":
            return self._table(page.items, meta)
        if self.accepted.form:
            items = [self._partial("PartialObjectMetadata", one["metadata"]) for one in page.items]
            return {**self._partial("PartialObjectMetadataList", meta), "items": items}
        resource = self.target.resource
        return {
            "kind": f"{resource.kind}List",
            "apiVersion": resource.api_version,
            "metadata": meta,
            # Typed lists of a real server have no apiVersion and kind in their items.
            "items": [_untyped(self._spelled(item)) for item in page.items],
        }

    def _spelled(self, obj: Object) -> Object:
        return self.from_hub(obj, self.target.resource.api_version)

    def _partial(self, kind: str, meta: Object) -> Object:
        return {"kind": kind, "apiVersion": self.accepted.group_version, "metadata": meta}

    def _table(self, items: list[Object], meta: Object) -> Object:
        rows = tables.rows(self.target.resource.plural, items, self.now)
        return {
            "kind": "Table",
            "apiVersion": self.accepted.group_version,
            "metadata": meta,
            "columnDefinitions": tables.columns(self.target.resource.plural),
            "rows": [
                {"cells": cells, "object": self._partial("PartialObjectMetadata", obj["metadata"])}
                for cells, obj in zip(rows, items, strict=True)
            ],
        }


#: Made once; plain JSON values hold no cycles to look for.
_JSON = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def encode(document: Object) -> bytes:
    """Return a document as JSON."""
    return _JSON.encode(document).encode()


def respond(
    document: Object, code: int = 200, headers: Iterable[tuple[str, str]] = ()
) -> web.Response:
    """Return a JSON answer."""
    return web.Response(
        body=encode(document),
        status=code,
        content_type="application/json",
        headers=CIMultiDict(headers),
    )


def refuse(error: StatusError) -> web.Response:
    """Return the Status that an error is."""
    return respond(error.to_object(), error.code)


def warned(response: web.StreamResponse, sentence: str) -> web.StreamResponse:
    """Let an answer say this before what it warns of anyway; a stream that runs has said it."""
    if not response.prepared:
        others = response.headers.popall("Warning", [])
        for value in (warning(sentence), *others):
            response.headers.add("Warning", value)
    return response


def warning(sentence: str) -> str:
    """Return the value of a Warning header."""
    escaped = sentence.replace('"', '\\"')
    return f'299 - "{escaped}"'


def text(body: str, code: int = 200) -> web.Response:
    """Return an answer in plain text."""
    return web.Response(text=body, status=code, content_type="text/plain")


def success(details: Object | None = None) -> Object:
    """Return the Status of a success."""
    status: Object = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    return {**status, "details": details} if details else status


def done() -> web.Response:
    """Return the answer to a Binding or an Eviction."""
    return respond({**success(), "code": 201}, 201)


def _untyped(obj: Object) -> Object:
    return {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
