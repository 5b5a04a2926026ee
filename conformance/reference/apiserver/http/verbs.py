"""One function per verb: read what the request says, call the registry, answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import attrs
from aiohttp import web

from conformance.kube import status
from conformance.kube.objects import Object, copy_of
from conformance.kube.status import StatusError
from conformance.reference.apiserver.http import answers, bodies, negotiation, streams
from conformance.reference.apiserver.http.answers import View
from conformance.reference.apiserver.registry import patching, reading, removing, watching, writing
from conformance.reference.apiserver.registry.context import Registry, Target
from conformance.reference.apiserver.registry.removing import DeleteOptions

#: Kinds whose deletion answers with a Status instead of the object.
_STATUS_ON_DELETE = (
    "configmaps",
    "secrets",
    "nodes",
    "leases",
    "events",
    "daemonsets",
    "deployments",
    "roles",
    "rolebindings",
    "clusterroles",
    "clusterrolebindings",
)


@attrs.frozen(kw_only=True)
class Call:
    """One request, routed: what it is about and who asks."""

    request: web.BaseRequest
    registry: Registry
    target: Target
    user: str

    @property
    def view(self) -> View:
        """The form of the answer. Raises ``StatusError`` 406."""
        accepted = negotiation.choose(self.request.headers.get("Accept", ""))
        return View(target=self.target, accepted=accepted, now=self.registry.clock.now())

    @property
    def query(self) -> dict[str, str]:
        """The query parameters, each once."""
        return dict(self.request.query)

    @property
    def dry_run(self) -> bool:
        """Nothing is to be stored."""
        return "dryRun" in self.request.query

    @property
    def content_type(self) -> str:
        """The media type of the body."""
        return self.request.headers.get("Content-Type", "")


Verb = Callable[[Call], Awaitable[web.StreamResponse]]


def is_watch(call: Call) -> bool:
    """Say whether the call wants to see changes rather than the present state."""
    return call.request.query.get("watch") in ("true", "1")


async def get(call: Call) -> web.StreamResponse:
    """Answer with one object, or with a watch of it."""
    if is_watch(call):
        return await watch(call)
    return answers.respond(call.view.one(reading.get(call.registry, call.target)))


async def list_(call: Call) -> web.StreamResponse:
    """Answer with a page of the collection, or with a watch of it."""
    query = call.query
    if is_watch(call):
        return await watch(call)
    limit = query.get("limit", "")
    page = reading.list_page(
        call.registry,
        call.target,
        _selection(call),
        limit=int(limit) if limit.isdecimal() else 0,
        token=query.get("continue", ""),
    )
    return answers.respond(call.view.many(page))


async def watch(call: Call) -> web.StreamResponse:
    """Stream what happens to the selected objects."""
    query = call.query
    initial = query.get("sendInitialEvents")
    options = watching.WatchOptions(
        resource_version=query.get("resourceVersion", ""),
        resource_version_match=query.get("resourceVersionMatch", ""),
        send_initial_events=None if initial is None else initial in ("true", "1"),
        allow_bookmarks=query.get("allowWatchBookmarks") in ("true", "1"),
    )
    return await streams.stream(call.request, call.registry, call.view, _selection(call), options)


async def create(call: Call) -> web.StreamResponse:
    """Store the object of the body."""
    body = bodies.read(
        await call.request.read(),
        call.content_type,
        call.target.resource,
        call.query.get("fieldValidation", "Warn"),
    )
    view = call.view
    stored = writing.create(call.registry, call.target, body.object, dry_run=call.dry_run)
    return answers.respond(view.one(stored), 201, _warn(body.warnings))


async def update(call: Call) -> web.StreamResponse:
    """Replace the object, or its status, by the body."""
    body = bodies.read(
        await call.request.read(),
        call.content_type,
        call.target.resource,
        call.query.get("fieldValidation", "Warn"),
    )
    view = call.view
    stored = writing.update(call.registry, call.target, lambda _: body.object, dry_run=call.dry_run)
    return answers.respond(view.one(stored), 200, _warn(body.warnings))


async def patch(call: Call) -> web.StreamResponse:
    """Change the object, or its status, as the document of the body says."""
    media_type = call.content_type.partition(";")[0].strip()
    if media_type not in patching.PATCH_TYPES:
        raise status.unsupported_media_type(patching.PATCH_TYPES)
    document = bodies.parse(await call.request.read(), call.content_type)
    validation = call.query.get("fieldValidation", "Warn")
    warnings: list[str] = []

    def change(current: Object) -> Object:
        body = bodies.shaped(
            patching.apply(media_type, current, document), call.target.resource, validation
        )
        warnings.extend(body.warnings)
        return body.object

    view = call.view
    if media_type == patching.APPLY_YAML and not _is_there(call):
        body = bodies.shaped(copy_of(document), call.target.resource, validation)
        stored = writing.create(call.registry, call.target, body.object, dry_run=call.dry_run)
        return answers.respond(view.one(stored), 201, _warn(body.warnings))
    stored = writing.update(call.registry, call.target, change, dry_run=call.dry_run)
    return answers.respond(view.one(stored), 200, _warn(warnings))


async def delete(call: Call) -> web.StreamResponse:
    """Delete the object, or begin to."""
    options = await _delete_options(call)
    view = call.view
    last, is_gone = removing.delete(call.registry, call.target, options)
    resource = call.target.resource
    if is_gone and resource.plural in _STATUS_ON_DELETE:
        details = {
            "name": call.target.name,
            "kind": resource.plural,
            "uid": last["metadata"]["uid"],
        }
        if resource.group:
            details["group"] = resource.group
        return answers.respond(answers.success(details))
    return answers.respond(view.one(last))


async def delete_collection(call: Call) -> web.StreamResponse:
    """Delete every selected object, or begin to, and answer with them."""
    options = await _delete_options(call)
    view = call.view
    page = reading.list_page(call.registry, call.target, _selection(call))
    for obj in page.items:
        meta = obj["metadata"]
        one = attrs.evolve(call.target, name=meta["name"], namespace=meta.get("namespace", ""))
        try:
            removing.delete(call.registry, one, options)
        except StatusError as error:
            if error.code != 404:
                raise
    return answers.respond(view.many(page))


#: Verbs by method, for collections and for single objects.
COLLECTION: dict[str, tuple[str, Verb]] = {
    "GET": ("list", list_),
    "POST": ("create", create),
    "DELETE": ("deletecollection", delete_collection),
}
SINGLE: dict[str, tuple[str, Verb]] = {
    "GET": ("get", get),
    "PUT": ("update", update),
    "PATCH": ("patch", patch),
    "DELETE": ("delete", delete),
}


def _is_there(call: Call) -> bool:
    try:
        reading.get(call.registry, call.target)
    except StatusError:
        return False
    return True


def _selection(call: Call) -> reading.Selection:
    query = call.query
    return reading.select(
        call.target, query.get("labelSelector", ""), query.get("fieldSelector", "")
    )


async def _delete_options(call: Call) -> DeleteOptions:
    data = await call.request.read()
    body = bodies.read_aside(data, call.content_type, "meta.k8s.io/v1", "DeleteOptions")
    preconditions = body.get("preconditions", {})
    asked = call.query.get("gracePeriodSeconds", "")
    grace = body.get("gracePeriodSeconds", int(asked) if asked.isdecimal() else None)
    return DeleteOptions(
        uid=preconditions.get("uid", ""),
        resource_version=preconditions.get("resourceVersion", ""),
        grace_period_seconds=grace,
        dry_run=call.dry_run or bool(body.get("dryRun")),
    )


def _warn(warnings: list[str]) -> list[tuple[str, str]]:
    escaped = [text.replace('"', '\\"') for text in warnings]
    return [("Warning", f'299 - "{text}"') for text in escaped]
