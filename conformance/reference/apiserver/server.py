"""Start and stop the API server on a loopback port."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from conformance.dra.features import Features
from conformance.dra.versions import hub
from conformance.dra.versions.serving import Serving
from conformance.kube.objects import Object, namespace_of
from conformance.kube.resources import RESOURCES, Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.admission.plugins import priority
from conformance.reference.apiserver.admission.plugins.chain import Admission
from conformance.reference.apiserver.admission.strategies import strategies
from conformance.reference.apiserver.authentication.asking import Askers
from conformance.reference.apiserver.authentication.tokens import Tokens
from conformance.reference.apiserver.authentication.users import Known
from conformance.reference.apiserver.authorization import bootstrap
from conformance.reference.apiserver.authorization.access import Access, Act
from conformance.reference.apiserver.discovery import documents
from conformance.reference.apiserver.discovery.documents import Discovery
from conformance.reference.apiserver.http.handler import Handler, Security
from conformance.reference.apiserver.http.negotiation import Accepted
from conformance.reference.apiserver.http.reviews import REVIEWS
from conformance.reference.apiserver.ownership import types
from conformance.reference.apiserver.registry import owning, removing, writing
from conformance.reference.apiserver.registry.context import Registry, Target
from conformance.reference.clock import Clock
from conformance.reference.faults.seams import NONE, Faults
from conformance.reference.identity import Identity
from conformance.reference.store.memory import Store

#: Resources that exist only while a feature gate is on.
GATED = {
    "resourcepoolstatusrequests": "DRAResourcePoolStatus",
    "podgroups": "GenericWorkload",
}

#: The largest body that is read, in bytes (etcd's default limit twice over, as upstream).
MAX_BODY = 3 * 1024 * 1024

#: Real seconds that requests have to end, and the same again for their handlers to be cancelled,
#: when the server goes.
GRACE = 0.5


def serves(resource: Resource, features: Features) -> bool:
    """Say whether a resource is served under these gates."""
    gate = GATED.get(resource.plural)
    return gate is None or features.enabled(gate)


def _served(serving: Serving, features: Features, faults: Faults) -> tuple[Resource, ...]:
    is_served = faults.wrap("apiserver.serves", serves)
    rows = [row for row in RESOURCES if serving.serves(row)]
    return tuple(row for row in rows if is_served(row, features))


class ApiServer:
    """An HTTP server over a store.

    ``known`` is who asks, beside the ServiceAccounts in the store. Construction raises
    ``dra.versions.serving.RuntimeConfigError`` for versions that do not exist.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        identity: Identity,
        features: Features,
        known: Known,
        faults: Faults = NONE,
    ) -> None:
        self._store = store
        serving = Serving(version=features.version, config=features.runtime_config)
        served = _served(serving, features, faults)
        wrap = faults.wrap
        registry = Registry(
            store=store,
            clock=clock,
            identity=identity,
            strategy_of=strategies(features, faults, self._namespace_of, self._nodes),
            delete_at_once=wrap("apiserver.delete_at_once", removing.delete_at_once),
            finalizers_for_collector=wrap(
                "apiserver.finalizers_for_collector", removing.finalizers_for_collector
            ),
            check_preconditions=wrap("apiserver.check_preconditions", removing.check_preconditions),
            apply=wrap("apiserver.apply", owning.applied),
            note_owners=wrap("apiserver.note_owners", owning.after_write),
            served=served,
            **_spoken(serving, faults),
        )
        self._registry, self._features = registry, features
        askers = _askers(store, clock, known, faults)
        #: Tokens that others have taken the place of, where somebody asks for it.
        self.rotation = askers.rotation
        self._access = Access(store, features, faults)
        self._handler = Handler(
            registry,
            _discovery(served, features, faults),
            Security(
                askers=askers,
                access=self._access,
                admission=Admission(store, served, faults),
            ),
        )
        #: Trouble that a driver meets at this server, where somebody asks for it.
        self.disturbances = self._handler.disturbances
        self._runner: web.ServerRunner | None = None
        self._address = ("127.0.0.1", 0)
        #: Where it listens with TLS, and by what it is trusted there, once somebody asked for it.
        self._secure_port = 0
        self._trust: Any = None

    def _namespace_of(self, obj: Object) -> Object | None:
        return self._store.get("/namespaces", ("", namespace_of(obj)))

    def access_log(self) -> list[Act]:
        """Return every act on a resource that a user did or tried, the oldest first."""
        return self._access.log()

    def bootstrap(self) -> None:
        """Create what every cluster has from the beginning: roles, bindings, priorities."""
        for obj in (*bootstrap.objects(self._features), *priority.built_in()):
            resource = next(row for row in self._registry.served if row.kind == obj["kind"])
            writing.create(self._registry, Target(resource=resource), obj)

    def _nodes(self) -> list[Object]:
        return self._store.list("/nodes")

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """Listen on a port, by default a free one, and return the base URL.

        Raises ``OSError`` when the port is taken.
        """
        server = web.Server(
            self._handler.handle,
            handler_cancellation=True,
            access_log=None,
            request_factory=_read_request,
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=GRACE)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, reuse_address=True)
        await site.start()
        self._address = (host, self._runner.addresses[0][1])
        return f"http://{host}:{self._address[1]}"

    async def secure(self, port: int = 0) -> tuple[str, bytes]:
        """Listen with TLS on a further port; return its base URL and the authority as PEM.

        Call it after ``start``, once. Raises ``OSError`` when the port is taken.
        """
        if self._runner is None:
            raise RuntimeError("secure() comes after start()")
        host = self._address[0]
        if self._trust is None:
            # Loaded on demand: few ask for TLS, and all would wait for the library.
            certificates: Any = importlib.import_module("conformance.trust.certificates")
            self._trust = certificates.throwaway(host)
        context = self._trust.context
        site = web.TCPSite(self._runner, host, port, ssl_context=context, reuse_address=True)
        await site.start()
        self._secure_port = self._runner.addresses[-1][1]
        return f"https://{host}:{self._secure_port}", self._trust.authority

    async def pause(self) -> None:
        """Close the port and cut every connection; what is stored is kept."""
        if self._runner is not None:
            # Watches never end by themselves; the library would wait for them in real time.
            self.disturbances.cut_all()
            await self._runner.cleanup()
            self._runner = None

    async def resume(self) -> None:
        """Listen again on the port of before."""
        host, port = self._address
        await self.start(port, host)
        if self._trust is not None:
            await self.secure(self._secure_port)

    async def stop(self) -> None:
        """End every watch and close the port."""
        self._store.end()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None


def _read_request(*parts: Any) -> web.BaseRequest:
    # The library limits bodies to 1 MiB unless the request object is told otherwise.
    message, payload, protocol, writer, task = parts
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=MAX_BODY)


def _askers(store: Store, clock: Clock, known: Known, faults: Faults) -> Askers:
    secret = hashlib.sha256("".join(known.tokens).encode()).digest()
    tokens = Tokens(store=store, clock=clock, key=secret)
    return Askers(
        known=known,
        tokens=tokens,
        read_token=faults.wrap("apiserver.token_owner", tokens.read),
    )


def _spoken(serving: Serving, faults: Faults) -> dict[str, Any]:
    """Return how clients are understood and answered, by field of the registry."""
    return {
        "warning": faults.wrap("apiserver.warning", serving.warning),
        "to_hub": faults.wrap("apiserver.to_hub", hub.to_hub),
        "from_hub": faults.wrap("apiserver.from_hub", hub.from_hub),
        "listed": faults.wrap("apiserver.listed", hub.from_hub),
        "watched": faults.wrap("apiserver.watched", hub.from_hub),
        "understood": faults.wrap("apiserver.understood", as_it_was_sent),
        "accepted": faults.wrap("apiserver.accepted", as_it_was_chosen),
        "patched": faults.wrap("apiserver.patched", as_it_was_patched),
        "told": faults.wrap("apiserver.told", as_it_was_meant),
    }


def _discovery(served: Iterable[Resource], features: Features, faults: Faults) -> Discovery:
    described = faults.wrap("apiserver.describe", as_it_is)
    preference = faults.wrap("apiserver.preference", as_they_are)
    sharing = faults.wrap("apiserver.sharing", types.extensions)
    resources = map(described, (*served, *REVIEWS))
    aggregated = faults.wrap("apiserver.aggregated", documents.as_told)
    return Discovery(resources, features.version, preference, sharing, aggregated)


def as_it_was_sent(_verb: str, _target: Target, query: dict[str, str]) -> dict[str, str]:
    """Return what is understood of a query: all of it."""
    return query


def as_it_was_patched(_content_type: str, patched: Object) -> Object:
    """Return what a patch made of an object: that."""
    return patched


def as_it_was_chosen(form: Accepted) -> Accepted:
    """Return the form of an answer: the one that was agreed on."""
    return form


def as_it_was_meant(error: StatusError, _verb: str, _target: Target) -> StatusError:
    """Return the refusal that a client is told: the one that was meant."""
    return error


def as_they_are(versions: list[str]) -> list[str]:
    """Return the versions of a group in the order of preference: that of the table."""
    return versions


def as_it_is(resource: Resource) -> Resource:
    """Return what discovery says of a resource: what is so."""
    return resource
