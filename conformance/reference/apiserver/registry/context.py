"""What every verb needs: where objects live, what time it is, and the rules of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from conformance.kube.fields import FieldError
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError
from conformance.reference.apiserver.registry.strategy import Strategy
from conformance.reference.clock import Clock
from conformance.reference.identity import Identity
from conformance.reference.store.memory import Key, Store


@attrs.frozen(kw_only=True)
class Target:
    """What a request is about; ``name`` is empty for a collection."""

    resource: Resource
    namespace: str = ""
    name: str = ""
    subresource: str = ""

    @property
    def key(self) -> Key:
        """The key of the object in the store."""
        return self.namespace, self.name


@attrs.frozen(kw_only=True)
class Writer:
    """Who writes, and how."""

    name: str
    #: What is sent are changes, not the whole object.
    is_patch: bool = False
    #: By server-side apply; other writes are updates.
    applies: bool = False
    #: An applier takes what others own with other values.
    force: bool = False


@attrs.frozen(kw_only=True)
class DeleteOptions:
    """What a client may ask of a deletion."""

    uid: str = ""
    resource_version: str = ""
    grace_period_seconds: int | None = None
    dry_run: bool = False
    #: Background, Foreground, Orphan, or empty for the default of the kind.
    propagation: str = ""


@attrs.frozen(kw_only=True)
class Registry:
    """The parts that the verbs work with."""

    store: Store
    clock: Clock
    identity: Identity
    strategy_of: Callable[[Resource], Strategy]
    #: ``(obj, grace) -> bool``: does a deletion remove the object now?
    delete_at_once: Callable[[Object, int], bool]
    #: ``(obj, propagation) -> obj`` with what a deletion leaves to the garbage collector.
    finalizers_for_collector: Callable[[Object, str], Object]
    #: ``(target, current, options)``: refuses a deletion whose preconditions fail.
    check_preconditions: Callable[[Target, Object, DeleteOptions], None]
    #: ``(registry, target, live, document, writer) -> obj``: server-side apply.
    apply: Callable[[Registry, Target, Object | None, Object, Writer], Object]
    #: ``(registry, target, old, new, writer)``: the managedFields of what is written.
    note_owners: Callable[[Registry, Target, Object | None, Object, Writer | None], list[Object]]
    #: Every resource that is served.
    served: tuple[Resource, ...]
    #: What a client is told who uses this version; empty for nothing.
    warning: Callable[[Resource], str]
    #: The stored form of an object of any version.
    to_hub: Callable[[Object], Object]
    #: ``(obj, version)``: a stored object as a version spells it.
    from_hub: Callable[[Object, str], Object]
    #: The same of an item of a list, and of an object in an event.
    listed: Callable[[Object, str], Object]
    watched: Callable[[Object, str], Object]
    #: ``(verb, target, query)``: what is understood of the query of a request.
    understood: Callable[[str, Target, dict[str, str]], dict[str, str]]
    #: The form of an answer, of those that a client accepts.
    accepted: Callable[[Any], Any]
    #: ``(content_type, patched)``: what a patch made of an object.
    patched: Callable[[str, Object], Object]
    #: ``(error, verb, target)``: the refusal that a client is told.
    told: Callable[[StatusError, str, Target], StatusError]


def storage_of(resource: Resource) -> str:
    """Return the name under which objects of a resource are stored, whatever their version."""
    return f"{resource.group}/{resource.plural}"


def typed(resource: Resource, obj: Object) -> Object:
    """Return the object with the apiVersion and kind of the resource in front."""
    return {**obj, "apiVersion": resource.api_version, "kind": resource.kind}


def _admit(operation: str, new: Object | None, old: Object | None) -> None:
    del operation, new, old


def _mutate(_operation: str, new: Object) -> Object:
    return new


def _errors(new: Object, old: Object) -> Iterable[FieldError]:
    del new, old
    return ()


@attrs.frozen(kw_only=True)
class Guard:
    """What the asker of one request may write."""

    #: ``(CREATE, new) -> new``: what admission makes of an object before it is prepared.
    mutate: Callable[[str, Object], Object] = _mutate
    #: ``(CREATE, UPDATE or DELETE, new, old)``: admission; raises ``StatusError``.
    admit: Callable[[str, Object | None, Object | None], None] = _admit
    #: ``(new, old)``: the parts of the object that this asker may not change.
    errors: Callable[[Object, Object], Iterable[FieldError]] = _errors


#: Lets everything pass: what the server does by itself.
OPEN = Guard()
