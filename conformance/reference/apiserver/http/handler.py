"""One request from beginning to end: who asks, what for, which verb, what comes back."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from aiohttp import web

from conformance.kube import status
from conformance.kube.status import StatusError
from conformance.reference.apiserver.discovery.documents import Discovery
from conformance.reference.apiserver.http import answers, bodies, reviews, subresources, verbs
from conformance.reference.apiserver.http.routes import find_target
from conformance.reference.apiserver.http.verbs import Call, Verb
from conformance.reference.apiserver.registry.context import Registry

_LOG = logging.getLogger(__name__)

#: Who asks without credentials. client-go sends none to a server without TLS, whatever stands
#: in the kubeconfig, so a request without a token is let in; a wrong token is not.
ANONYMOUS = "system:anonymous"

_SUBRESOURCES: dict[tuple[str, str], Verb] = {
    ("POST", "binding"): subresources.bind,
    ("POST", "eviction"): subresources.evict,
    ("GET", "log"): subresources.log,
}


class Handler:
    """Answers every request to one server."""

    def __init__(self, registry: Registry, discovery: Discovery, tokens: Mapping[str, str]) -> None:
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
            return answers.text("404 page not found\n", 404)
        call = Call(request=request, registry=self._registry, target=target, user=user)
        if target.resource in reviews.REVIEWS:
            return await _review(call)
        return await _verb(call)(call)

    def _authenticate(self, request: web.BaseRequest) -> str:
        header = request.headers.get("Authorization", "")
        if not header:
            return ANONYMOUS
        scheme, _, token = header.partition(" ")
        user = self._tokens.get(token.strip()) if scheme.lower() == "bearer" else None
        if user is None:
            raise status.unauthorized()
        return user


def _verb(call: Call) -> Verb:
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
    if name == "create" and target.resource.namespaced and not target.namespace:
        raise status.method_not_allowed()
    return verb


async def _review(call: Call) -> web.StreamResponse:
    if call.request.method != "POST":
        raise status.method_not_allowed()
    body = bodies.read(await call.request.read(), call.content_type, call.target.resource)
    return answers.respond(reviews.answer(body.object, call.user), 201)
