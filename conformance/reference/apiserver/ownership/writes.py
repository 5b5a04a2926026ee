"""What a write makes of the owners of fields: updates take what they change, appliers claim.

Source: KEP-555; k8s.io/apimachinery pkg/util/managedfields and structured-merge-diff say what
the documents leave open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from conformance.kube.objects import Object, copy_of
from conformance.reference.apiserver.ownership import managers, paths
from conformance.reference.apiserver.ownership.comparing import Comparison, compare
from conformance.reference.apiserver.ownership.conflicts import conflict
from conformance.reference.apiserver.ownership.managers import APPLY, Entry, Managed, Manager
from conformance.reference.apiserver.ownership.merging import merge
from conformance.reference.apiserver.ownership.paths import Path, Paths
from conformance.reference.apiserver.ownership.types import Type
from conformance.reference.apiserver.ownership.walking import fields_of, removed, require_unique

#: What nobody owns.
_STRIPPED: frozenset[Path] = frozenset(
    {("f:apiVersion",), ("f:kind",), ("f:metadata",)}
    | {
        ("f:metadata", f"f:{name}")
        for name in (
            "name",
            "namespace",
            "creationTimestamp",
            "selfLink",
            "uid",
            "clusterName",
            "generation",
            "managedFields",
            "resourceVersion",
        )
    }
)

#: Stands for the write that is going on, beside what its manager has owned before.
_NOW = Manager(name="current-operation")
_BEFORE = "before-first-apply"


@attrs.frozen(kw_only=True)
class Scope:
    """What a write is about: a kind in one version, and what a subresource leaves alone."""

    api_version: str
    #: Fields that writes to this subresource do not change.
    reset: tuple[Path, ...]
    #: ``version -> type``; nothing for a version that is not served.
    type_in: Callable[[str], Type | None]
    #: ``(obj, version) -> obj`` in that version.
    convert: Callable[[Object, str], Object]

    @property
    def type(self) -> Type:
        """The type of the objects in the version of the write."""
        found = self.type_in(self.api_version)
        assert found is not None, self.api_version
        return found


def updated(
    scope: Scope, old: Object, new: Object, managed: Managed, manager: Manager, now: str
) -> Managed:
    """Return the owners after an update. Raises ``OwnershipError`` for lists without keys."""
    before, after = (scope.convert(_bare(obj), scope.api_version) for obj in (old, new))
    left, change = _take(scope, before, after, managed, _NOW, is_forced=True)
    gained = paths.without(change.modified | change.added, scope.reset) - _STRIPPED
    if gained:
        had = left[manager].paths if manager in left else frozenset[Path]()
        left[manager] = Entry(paths=had | gained, api_version=scope.api_version, time=now)
    return managers.capped(left)


def applied(
    scope: Scope, live: Object, document: Object, manager: Manager, now: str, *, force: bool
) -> Object:
    """Return the live object with the document applied and its owners noted.

    Raises ``StatusError`` 409 for conflicts, ``OwnershipError`` for what has no owners.
    """
    managed = managers.decode(live.get("metadata", {}).get("managedFields"))
    before, wanted = _bare(live), _bare(copy_of(document))
    require_unique(wanted, scope.type)
    if not managed:
        first = Manager(
            name=_BEFORE, api_version=scope.api_version, subresource=manager.subresource
        )
        managed = updated(scope, _empty(live), before, {}, first, now)
    last = managed.get(manager)
    fields = paths.without(fields_of(wanted, scope.type), scope.reset)
    time = last.time if last else ""
    managed = {**managed, manager: Entry(paths=fields, api_version=scope.api_version, time=time)}
    merged = merge(before, wanted, scope.type)
    pruned = _prune(scope, merged, managed, last)
    managed, _ = _take(scope, before, pruned, managed, manager, is_forced=force)
    is_changed = pruned != before
    _strip(managed, manager, now if is_changed else "")
    result = pruned if is_changed else before
    result["metadata"]["managedFields"] = managers.encode(managers.capped(managed))
    return result


def _empty(live: Object) -> Object:
    return {"apiVersion": live.get("apiVersion"), "kind": live.get("kind"), "metadata": {}}


def _bare(obj: Object) -> Object:
    meta = {key: one for key, one in (obj.get("metadata") or {}).items() if key != "managedFields"}
    return {**obj, "metadata": meta}


def _strip(managed: Managed, manager: Manager, now: str) -> None:
    entry = managed.get(manager)
    if entry is None:
        return
    kept = entry.paths - _STRIPPED
    if kept:
        managed[manager] = attrs.evolve(entry, paths=kept, time=now or entry.time)
    else:
        del managed[manager]


def _take(
    scope: Scope, old: Object, new: Object, managed: Managed, writer: Manager, *, is_forced: bool
) -> tuple[Managed, Comparison]:
    """Return the owners without what others lose to the writer, and what was changed."""
    whole = compare(old, new, scope.type)
    changes = {scope.api_version: whole.without(scope.reset)}
    lost: dict[Manager, Paths] = {}
    gone: list[Manager] = []
    for other, entry in managed.items():
        if other == writer:
            continue
        version = entry.api_version
        if version not in changes:
            type_ = scope.type_in(version)
            if type_ is None:
                gone.append(other)
                continue
            here = compare(scope.convert(old, version), scope.convert(new, version), type_)
            changes[version] = here.without(scope.reset)
        lost[other] = entry.paths & (changes[version].modified | changes[version].added)
    contested = {other: fields for other, fields in lost.items() if fields}
    if contested and not is_forced:
        raise conflict(contested)
    left = {other: entry for other, entry in managed.items() if other not in gone}
    for other, fields in lost.items():
        entry = left[other]
        kept = entry.paths - fields - changes[entry.api_version].removed
        left[other] = attrs.evolve(entry, paths=kept)
    return {other: entry for other, entry in left.items() if entry.paths}, whole


def _prune(scope: Scope, merged: Object, managed: Managed, last: Entry | None) -> Any:
    """Take out what the applier applied last time and nobody wants any more."""
    type_ = scope.type_in(last.api_version) if last and last.paths else None
    if last is None or type_ is None:
        return merged
    whole = scope.convert(merged, last.api_version)
    mine = paths.with_structs(last.paths, type_)
    pruned = removed(whole, type_, mine)
    versions = [last.api_version, *sorted({entry.api_version for entry in managed.values()})]
    for version in dict.fromkeys(versions):
        here = scope.type_in(version)
        owned = [entry.paths for entry in managed.values() if entry.api_version == version]
        if here is None or not owned:
            continue
        wide, narrow = scope.convert(merged, version), scope.convert(pruned, version)
        kept = _structs(narrow, here) | paths.with_structs(frozenset[Path]().union(*owned), here)
        pruned = scope.convert(removed(wide, here, _structs(wide, here) - kept), last.api_version)
    dangling = (_structs(whole, type_) - _structs(pruned, type_)) & mine
    return scope.convert(removed(whole, type_, dangling), scope.api_version)


def _structs(obj: Object, type_: Type) -> Paths:
    return paths.with_structs(fields_of(obj, type_), type_)


def manager_of(name: str, api_version: str, subresource: str, *, applies: bool) -> Manager:
    """Return the manager behind a request."""
    return Manager(
        name=name or "unknown",
        operation=APPLY if applies else managers.UPDATE,
        api_version="" if applies else api_version,
        subresource=subresource,
    )
