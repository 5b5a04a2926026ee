"""Trouble on request: what the requests of one driver about its ResourceSlices meet.

A harness asks for it, to see how a driver gets along: refusals, delays, broken connections and
watches, fields that are dropped as those of a disabled gate. Requests of the harness itself are
spared; it is known by its user agent. Nothing here happens unless somebody asked for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import Any

import attrs
from aiohttp import web

from conformance.kube.status import StatusError
from conformance.reference.apiserver.http import answers, bodies, questions
from conformance.reference.apiserver.http.verbs import Call, Verb
from conformance.reference.apiserver.registry import reading
from conformance.trust.trouble import Allotment, Trouble, headers, refusal, without

#: Whose requests are spared.
HARNESS = "dra-conformance"

_RESOURCE = "resourceslices"


@attrs.frozen(kw_only=True)
class Seen:
    """One request: when, which verb, and the code of its answer (0: there was none)."""

    at: float
    verb: str
    code: int


class Disturbance(Allotment):
    """Trouble of one driver, and what was seen of its requests since."""

    def __init__(self, driver: str, given: Trouble) -> None:
        super().__init__(given)
        self.driver = driver
        self.seen: list[Seen] = []

    async def meet(self, call: Call, name: str, verb: Verb) -> web.StreamResponse:
        """Answer a request of the driver."""
        begin, trouble = call.registry.clock.monotonic(), self.next(name)
        code = 0
        try:
            await asyncio.sleep(trouble.delay)
            answer = await _answer(call, verb, trouble)
            code = 0 if trouble.broken else answer.status
        except StatusError as error:
            code = error.code
            raise
        finally:
            self.seen.append(Seen(at=begin, verb=name, code=code))
        return answer


class Disturbances:
    """All trouble that was asked for at one server."""

    def __init__(self) -> None:
        self._all: list[Disturbance] = []
        #: Watches, each with the one driver whose slices it is about, if it is: they may be cut
        #: later. Requests can't be hashed, so they are known by their ids while they last.
        self._watching: dict[int, tuple[web.BaseRequest, str]] = {}

    def begin(self, driver: str, trouble: Trouble) -> Disturbance:
        """Let the requests of a driver meet trouble from now on."""
        begun = Disturbance(driver, trouble)
        self._all.append(begun)
        return begun

    def cut(self, driver: str) -> None:
        """Break the watches of a driver, whenever they began."""
        for request, name in tuple(self._watching.values()):
            if name == driver:
                _abort(request)

    def cut_all(self) -> None:
        """Break every watch: the server goes."""
        for request, _ in tuple(self._watching.values()):
            _abort(request)

    def end(self, disturbance: Disturbance) -> None:
        """Let that be over."""
        self._all.remove(disturbance)

    async def meet(self, call: Call, name: str, verb: Verb) -> web.StreamResponse:
        """Answer a request, with trouble where that was asked for."""
        is_watch = name == "watch"
        is_spared = call.target.resource.plural != _RESOURCE or _is_harness(call)
        driver = "" if is_spared or not (self._all or is_watch) else await _driver(call)
        if is_watch:
            self._watching[id(call.request)] = call.request, driver
        try:
            for one in reversed(self._all):  # the newest alone
                if driver and one.driver == driver:
                    return await one.meet(call, name, verb)
            return await verb(call)
        finally:
            self._watching.pop(id(call.request), None)


async def _answer(call: Call, verb: Verb, trouble: Trouble) -> web.StreamResponse:
    if trouble.broken:
        _abort(call.request)
        return web.Response()
    if trouble.code:
        more = list(headers(trouble).items())
        return answers.respond(refusal(trouble), trouble.code, more)
    if trouble.dropped:
        call = attrs.evolve(call, alter=functools.partial(without, dropped=trouble.dropped))
    return await verb(call)


def _is_harness(call: Call) -> bool:
    return call.request.headers.get("User-Agent", "") == HARNESS


async def _driver(call: Call) -> str:
    """Return whose slices a request is about, empty where it does not say."""
    fields = dict(questions.equalities(call.query.get("fieldSelector", "")))
    if "spec.driver" in fields:
        return fields["spec.driver"]
    if call.target.name:
        # One that is applied may not be there yet.
        with contextlib.suppress(StatusError):
            return str(reading.get(call.registry, call.target)["spec"]["driver"])
    if call.request.method not in {"POST", "PATCH"}:
        return ""
    document = bodies.parse(await call.request.read(), call.content_type)
    spec: Any = document.get("spec") if isinstance(document, dict) else None
    return str(spec.get("driver", "")) if isinstance(spec, dict) else ""


def _abort(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()
