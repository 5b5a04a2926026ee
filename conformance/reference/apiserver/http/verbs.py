"""One function per verb: read what the request says, call the registry, answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import attrs
from aiohttp import web

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.http import answers, bodies, negotiation, streams
from conformance.reference.apiserver.http.answers import View
from conformance.reference.apiserver.registry import (
    listing,
    options,
    patching,
    reading,
    removing,
    watching,
    writing,
)
from conformance.reference.apiserver.registry.context import OPEN, Guard, Registry, Target, Writer
from conformance.reference.apiserver.registry.listing import ListOptions
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


#: Characters of a manager's name (``fieldManager`` of the API).
_LONGEST_MANAGER = 128


def as_it_was_sent(obj: Object) -> Object:
    """Return an object as it is."""
    return obj


@attrs.frozen(kw_only=True)
class Call:
    """One request, routed: what it is about and who asks."""

    request: web.BaseRequest
    registry: Registry
    target: Target
    user: User
    guard: Guard = OPEN
    #: What is understood of the query; None is all of it.
    parameters: dict[str, str] | None = None
    #: What becomes of an object that was sent before anything else is done with it.
    alter: Callable[[Object], Object] = as_it_was_sent

    @property
    def view(self) -> View:
        """The form of the answer. Raises ``StatusError`` 406."""
        wanted = negotiation.choose(self.request.headers.get("Accept", ""))
        accepted = self.registry.accepted(wanted)
        return View(
            target=self.target,
            accepted=accepted,
            now=self.registry.clock.now(),
            from_hub=self.registry.from_hub,
        )

    @property
    def query(self) -> dict[str, str]:
        """The query parameters, each once."""
        return dict(self.request.query) if self.parameters is None else self.parameters

    @property
    def dry_run(self) -> bool:
        """Nothing is to be stored."""
        return bool(self.dry_runs)

    @property
    def dry_runs(self) -> list[str]:
        """What the query says of dry runs."""
        return list(self.request.query.getall("dryRun")) if "dryRun" in self.query else []

    @property
    def validation(self) -> str:
        """What becomes of unknown fields: Ignore, Warn or Strict."""
        return self.query.get("fieldValidation", "Warn")

    @property
    def content_type(self) -> str:
        """The media type of the body."""
        return self.request.headers.get("Content-Type", "")

    def writer(self, *, is_patch: bool = False, applies: bool = False) -> Writer:
        """Who owns what is written: the field manager that is named, or the program."""
        program = self.request.headers.get("User-Agent", "").partition("/")[0]
        named = self.query.get("fieldManager", "") or "".join(
            one for one in program if one.isprintable()
        )
        force = self.query.get("force", "") in ("true", "1")
        return Writer(
            name=named[:_LONGEST_MANAGER], is_patch=is_patch, applies=applies, force=force
        )


Verb = Callable[[Call], Awaitable[web.StreamResponse]]


def is_watch(call: Call) -> bool:
    """Say whether the call wants to see changes rather than the present state."""
    return call.request.query.get("watch") in ("true", "1")


async def get(call: Call) -> web.StreamResponse:
    """Answer with one object."""
    version = call.query.get("resourceVersion", "")
    return answers.respond(call.view.one(reading.get(call.registry, call.target, version)))


async def list_(call: Call) -> web.StreamResponse:
    """Answer with a page of the collection, or with a watch of it."""
    query = call.query
    if is_watch(call):
        return await watch(call)
    options.check_listing(query)
    page = listing.list_page(call.registry, call.target, _selection(call), _list_options(query))
    view = attrs.evolve(call.view, from_hub=call.registry.listed)
    return answers.respond(view.many(page))


async def watch(call: Call) -> web.StreamResponse:
    """Stream what happens to the selected objects."""
    query = call.query
    options.check_watching(query)
    initial = query.get("sendInitialEvents")
    wish = watching.WatchOptions(
        resource_version=query.get("resourceVersion", ""),
        send_initial_events=None if initial is None else initial in ("true", "1"),
        allow_bookmarks=query.get("allowWatchBookmarks") in ("true", "1"),
    )
    view = attrs.evolve(call.view, from_hub=call.registry.watched)
    return await streams.stream(call.request, call.registry, view, _selection(call), wish)


async def _proposed(call: Call) -> tuple[Object, list[str]]:
    """Return the object of the body as it is to be stored, and what to warn of."""
    body = bodies.read(
        await call.request.read(),
        call.content_type,
        call.target.resource,
        call.validation,
    )
    return call.alter(call.registry.to_hub(body.object)), body.warnings


async def create(call: Call) -> web.StreamResponse:
    """Store the object of the body."""
    options.check_writing("CreateOptions", call.query, call.dry_runs)
    new, warnings = await _proposed(call)
    stored = writing.create(
        call.registry,
        call.target,
        new,
        guard=call.guard,
        dry_run=call.dry_run,
        writer=call.writer(),
    )
    return answers.respond(call.view.one(stored), 201, _warn(warnings))


async def update(call: Call) -> web.StreamResponse:
    """Replace the object, or its status, by the body."""
    options.check_writing("UpdateOptions", call.query, call.dry_runs)
    new, warnings = await _proposed(call)
    stored = writing.update(
        call.registry,
        call.target,
        lambda _: new,
        guard=call.guard,
        dry_run=call.dry_run,
        writer=call.writer(),
    )
    return answers.respond(call.view.one(stored), 200, _warn(warnings))


async def patch(call: Call) -> web.StreamResponse:
    """Change the object, or its status, as the document of the body says."""
    media_type = call.content_type.partition(";")[0].strip()
    if media_type not in patching.PATCH_TYPES:
        raise status.unsupported_media_type(patching.PATCH_TYPES)
    is_apply = media_type == patching.APPLY_YAML
    options.check_writing("PatchOptions", call.query, call.dry_runs, is_apply=is_apply)
    document = bodies.parse(await call.request.read(), call.content_type)
    if is_apply:
        bodies.check_applied(document, call.target.resource)
    warnings: list[str] = []
    version = call.target.resource.api_version
    writer = call.writer(is_patch=True, applies=is_apply)

    def change(current: Object | None) -> Object:
        # A patch speaks of the object as its version spells it.
        spelled = None if current is None else call.registry.from_hub(current, version)
        if is_apply:
            patched = call.registry.apply(call.registry, call.target, spelled, document, writer)
        else:
            patched = patching.apply(media_type, spelled or {}, document)
        try:
            meant = call.registry.patched(media_type, patched)
            body = bodies.shaped(meant, call.target.resource, call.validation)
        except StatusError as error:
            raise patching.undecodable(error.message) from error
        warnings.extend(body.warnings)
        return call.alter(call.registry.to_hub(body.object))

    view = call.view
    if is_apply and not call.target.subresource and not _is_there(call):
        new = change(None)
        stored = writing.create(
            call.registry,
            call.target,
            new,
            guard=call.guard,
            dry_run=call.dry_run,
            writer=writer,
        )
        return answers.respond(view.one(stored), 201, _warn(warnings))
    stored = writing.update(
        call.registry,
        call.target,
        change,
        guard=call.guard,
        dry_run=call.dry_run,
        writer=writer,
    )
    return answers.respond(view.one(stored), 200, _warn(warnings))


async def delete(call: Call) -> web.StreamResponse:
    """Delete the object, or begin to."""
    wish = await _delete_options(call)
    view = call.view
    last, is_gone = removing.delete(call.registry, call.target, wish, call.guard)
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
    wish = await _delete_options(call)
    options.check_listing(call.query)
    view = call.view
    page = listing.list_page(
        call.registry, call.target, _selection(call), _list_options(call.query)
    )
    for obj in page.items:
        meta = obj["metadata"]
        one = attrs.evolve(call.target, name=meta["name"], namespace=meta.get("namespace", ""))
        try:
            removing.delete(call.registry, one, wish, call.guard)
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


def _list_options(query: dict[str, str]) -> ListOptions:
    limit = query.get("limit", "") or "0"
    if not limit.removeprefix("-").isdecimal():
        raise status.bad_request(f'strconv.ParseInt: parsing "{limit}": invalid syntax')
    return ListOptions(
        limit=max(int(limit), 0),
        token=query.get("continue", ""),
        version=query.get("resourceVersion", ""),
        match=query.get("resourceVersionMatch", ""),
        selects=bool(query.get("labelSelector") or query.get("fieldSelector")),
    )


async def _delete_options(call: Call) -> DeleteOptions:
    """Return what a deletion was asked for: in the body, or without one in the query."""
    data = await call.request.read()
    body = bodies.delete_options(data, call.content_type) if data else _queried(call)
    policy, orphan = body.get("propagationPolicy"), body.get("orphanDependents")
    options.check_deleting(policy, orphan, body.get("dryRun") or [])
    preconditions = body.get("preconditions") or {}
    if orphan is not None:
        policy = "Orphan" if orphan else "Background"
    return DeleteOptions(
        uid=preconditions.get("uid", ""),
        resource_version=preconditions.get("resourceVersion", ""),
        grace_period_seconds=body.get("gracePeriodSeconds"),
        dry_run=bool(body.get("dryRun")),
        propagation=policy or "",
    )


def _queried(call: Call) -> Object:
    query = call.query
    body: Object = {"dryRun": call.dry_runs}
    if "propagationPolicy" in query:
        body["propagationPolicy"] = query["propagationPolicy"]
    if "orphanDependents" in query:
        body["orphanDependents"] = query["orphanDependents"] in ("true", "1")
    grace = query.get("gracePeriodSeconds", "")
    if grace:
        if not grace.removeprefix("-").isdecimal():
            raise status.bad_request(f'strconv.ParseInt: parsing "{grace}": invalid syntax')
        body["gracePeriodSeconds"] = int(grace)
    return body


def _warn(warnings: list[str]) -> list[tuple[str, str]]:
    return [("Warning", answers.warning(text)) for text in warnings]
