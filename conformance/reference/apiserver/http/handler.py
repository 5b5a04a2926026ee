"""One request from beginning to end: who asks, what for, which verb, what comes back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from aiohttp import web

from conformance.kube import status
from conformance.kube.status import StatusError
from conformance.reference.apiserver.discovery.documents import Discovery
from conformance.reference.apiserver.http import answers, bodies, reviews, subresources, verbs
from conformance.reference.apiserver.http.routes import find_target, is_of_group
from conformance.reference.apiserver.http.verbs import Call, Verb
from conformance.reference.apiserver.registry import refusals
from conformance.reference.apiserver.registry.context import Registry, Target

_LOG = logging.getLogger(__name__)

#: Who asks without credentials. client-go sends none to a server without TLS, whatever stands
#: in the kubeconfig, so a request without a token is let in; a wrong token is not.
ANONYMOUS = "system:anonymous"

#: Verb and function of the subresources that are no part of an object.
_SUBRESOURCES: dict[tuple[str, str], tuple[str, Verb]] = {
    ("POST", "binding"): ("create", subresources.bind),
    ("POST", "eviction"): ("create", subresources.evict),
    ("GET", "log"): ("get", subresources.log),
}

#: May this user do that to this target?
Authorizer = Callable[[str, str, Target], bool]


class Handler:
    """Answers every request to one server."""

    def __init__(
        self,
        registry: Registry,
        discovery: Discovery,
        tokens: Mapping[str, str],
        is_allowed: Authorizer,
    ) -> None:
        self._is_allowed = is_allowed
        self._registry = registry
        self._discovery = discovery
        self._tokens = tokens
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
        user = self._authenticate(request)
        if path.startswith(("/healthz", "/livez", "/readyz")):
            return answers.text("ok")
        document = self._discovery.find(path, request.headers.get("Accept", ""))
        if document is not None:
            return web.Response(body=document.body, headers={"Content-Type": document.media_type})
        target = find_target(path, self._served)
        if target is None:
            if is_of_group(path, self._served):
                raise status.no_such_resource()
            return answers.text("404 page not found\n", 404)
        call = Call(request=request, registry=self._registry, target=target, user=user)
        if target.resource in reviews.REVIEWS:
            return await _review(call)
        name, verb = _verb(call)
        if not self._is_allowed(user, name, target):
            raise refusals.not_authorized(target, user, name)
        return await self._warned(call, verb)

    async def _warned(self, call: Call, verb: Verb) -> web.StreamResponse:
        """Answer, and say so if the version that was asked is deprecated."""
        warning = self._registry.warning(call.target.resource)
        try:
            response = await verb(call)
        except StatusError as error:
            if not warning:
                raise
            response = answers.refuse(error)
        return answers.warned(response, warning) if warning else response

    def _authenticate(self, request: web.BaseRequest) -> str:
        header = request.headers.get("Authorization", "")
        if not header:
            return ANONYMOUS
        scheme, _, token = header.partition(" ")
        user = self._tokens.get(token.strip()) if scheme.lower() == "bearer" else None
        if user is None:
            raise status.unauthorized()
        return user


def allow_all(user: str, verb: str, target: Target) -> bool:
    """Say whether a user may do that: everybody may do everything."""
    del user, verb, target
    return True


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


async def _review(call: Call) -> web.StreamResponse:
    if call.request.method != "POST":
        raise status.method_not_allowed()
    body = bodies.read(await call.request.read(), call.content_type, call.target.resource)
    return answers.respond(reviews.answer(body.object, call.user), 201)
