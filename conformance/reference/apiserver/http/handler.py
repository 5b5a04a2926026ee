"""One request from beginning to end: who asks, what for, which verb, what comes back."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import attrs
from aiohttp import web

from conformance.kube import status
from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.apiserver.admission.plugins.chain import Admission
from conformance.reference.apiserver.admission.plugins.writes import Write
from conformance.reference.apiserver.authentication.asking import Askers
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.apiserver.authorization.access import Access
from conformance.reference.apiserver.authorization.attributes import Attributes
from conformance.reference.apiserver.discovery.documents import Discovery
from conformance.reference.apiserver.http import (
    answers,
    bodies,
    questions,
    reviews,
    subresources,
    verbs,
)
from conformance.reference.apiserver.http.disturbing import Disturbances
from conformance.reference.apiserver.http.reviews import Reviews
from conformance.reference.apiserver.http.routes import find_target, is_of_group
from conformance.reference.apiserver.http.verbs import Call, Verb
from conformance.reference.apiserver.registry import refusals
from conformance.reference.apiserver.registry.context import Guard, Registry

_LOG = logging.getLogger(__name__)

#: Verb and function of the subresources that are no part of an object.
_SUBRESOURCES: dict[tuple[str, str], tuple[str, Verb]] = {
    ("POST", "binding"): ("create", subresources.bind),
    ("POST", "eviction"): ("create", subresources.evict),
    ("GET", "log"): ("get", subresources.log),
    ("GET", "proxy"): ("get", subresources.node_metrics),
}


@attrs.frozen(kw_only=True)
class Security:
    """Who is known, what they may do, and who is told about it."""

    askers: Askers
    access: Access
    admission: Admission


class Handler:
    """Answers every request to one server."""

    def __init__(self, registry: Registry, discovery: Discovery, security: Security) -> None:
        self.disturbances = Disturbances()
        self._registry = registry
        self._discovery = discovery
        self._security = security
        self._reviews = Reviews(access=security.access, owner=security.askers.owner)
        stored = {(row.group, row.version, row.plural): row for row in registry.served}
        asked = {(row.group, row.version, row.plural): row for row in reviews.REVIEWS}
        self._served = {**stored, **asked}

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request; an error is a Status, whatever went wrong."""
        try:
            if request.query.get("watch") in ("true", "1"):
                return await self._answer(request)
            with self._registry.clock.busy():
                return await self._answer(request)
        except StatusError as error:
            return answers.refuse(error)
        except web.HTTPRequestEntityTooLarge:
            return answers.refuse(status.too_large(request.client_max_size))
        except Exception as error:  # noqa: BLE001 - a real server answers 500 as well
            _LOG.exception("%s %s", request.method, request.rel_url)
            return answers.refuse(status.internal(str(error)))

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.rel_url.raw_path
        user = self._security.askers.of(
            request.headers, self._permit_impersonation, secure=request.secure
        )
        if path.startswith(("/healthz", "/livez", "/readyz")):
            return answers.text("ok")
        document = self._discovery.find(path, request.headers.get("Accept", ""))
        if document is not None:
            self._demand_path(questions.about_path(request, user, path))
            return web.Response(body=document.body, headers={"Content-Type": document.media_type})
        target = find_target(path, self._served)
        if target is None:
            if is_of_group(path, self._served):
                raise status.no_such_resource()
            self._demand_path(questions.about_path(request, user, path))
            return answers.text("404 page not found\n", 404)
        call = Call(request=request, registry=self._registry, target=target, user=user)
        if target.resource in reviews.REVIEWS:
            return await self._review(call)
        if (request.method, target.subresource) == ("POST", "token"):
            self._demand(call, "create")
            return await subresources.token(call, self._security.askers.tokens)
        name, verb = _verb(call)
        asked = self._demand(call, name)
        parameters = self._registry.understood(name, target, dict(request.query))
        call = attrs.evolve(call, guard=self._guard(call, asked), parameters=parameters)
        return await self._warned(call, name, verb)

    async def _warned(self, call: Call, name: str, verb: Verb) -> web.StreamResponse:
        """Answer, and say so if the version that was asked is deprecated."""
        warning = self._registry.warning(call.target.resource)
        try:
            response = await self.disturbances.meet(call, name, verb)
        except StatusError as error:
            response = answers.refuse(self._registry.told(error, name, call.target))
        return answers.warned(response, warning) if warning else response

    def _guard(self, call: Call, asked: Attributes) -> Guard:
        """Return what this asker may write."""
        target, admission = call.target, self._security.admission

        def written(operation: str, new: Object | None, old: Object | None) -> Write:
            return Write(
                user=call.user,
                operation=operation,
                resource=target.resource,
                subresource=target.subresource,
                new=new,
                old=old,
            )

        def admit(operation: str, new: Object | None, old: Object | None) -> None:
            admission.admit(written(operation, new, old))

        def mutate(operation: str, new: Object) -> Object:
            return admission.mutate(written(operation, new, None))

        def errors(new: Object, old: Object) -> Iterable[FieldError]:
            return self._security.access.parts(asked, new, old)

        return Guard(mutate=mutate, admit=admit, errors=errors)

    def _demand(self, call: Call, verb: str) -> Attributes:
        """Return what is asked; raises ``StatusError`` 403 unless the user may do that."""
        asked = questions.about(call.request, call.user, verb, call.target)
        decision = self._security.access.enter(asked)
        if not decision.allowed:
            raise refusals.not_authorized(call.target, call.user.name, verb, decision.reason)
        return asked

    def _demand_path(self, asked: Attributes) -> None:
        if not self._security.access.enter(asked).allowed:
            raise refusals.not_authorized_path(asked.path, asked.user.name, asked.verb)

    def _permit_impersonation(self, user: User, *what: str) -> None:
        group, resource, subresource, namespace, name = what
        asked = Attributes(
            user=user,
            verb="impersonate",
            group=group,
            resource=resource,
            subresource=subresource,
            namespace=namespace,
            name=name,
        )
        if not self._security.access.enter(asked).allowed:
            raise status.forbidden(
                resource, group, name, f'User "{user.name}" cannot impersonate it'
            )

    async def _review(self, call: Call) -> web.StreamResponse:
        if call.request.method != "POST":
            raise status.method_not_allowed()
        self._demand(call, "create")
        data = await call.request.read()
        body = bodies.read(data, call.content_type, call.target.resource)
        return answers.respond(self._reviews.answer(body.object, call.user), 201)


def _verb(call: Call) -> tuple[str, Verb]:
    method, target = call.request.method, call.target
    if (method, target.subresource) in _SUBRESOURCES:
        return _SUBRESOURCES[method, target.subresource]
    if target.subresource not in ("", "status"):
        raise status.method_not_allowed()
    table = verbs.SINGLE if target.name else verbs.COLLECTION
    name, verb = table.get(method, ("", None))
    is_status = target.subresource == "status"
    if verb is None or name not in target.resource.verbs or (is_status and method == "DELETE"):
        raise status.method_not_allowed()
    is_everywhere = target.resource.namespaced and not target.namespace
    if name in ("create", "deletecollection") and is_everywhere:
        raise status.method_not_allowed()
    is_watch = name == "list" and verbs.is_watch(call)
    return ("watch" if is_watch else name), verb
