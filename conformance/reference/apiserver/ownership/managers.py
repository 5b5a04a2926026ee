"""Entries of ``metadata.managedFields``: who wrote, how, in which version, and which fields."""

from __future__ import annotations

from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.apiserver.ownership import paths
from conformance.reference.apiserver.ownership.paths import OwnershipError, Paths

APPLY = "Apply"
UPDATE = "Update"

#: How many entries of updates are kept apart; older ones are joined.
_MOST_UPDATES = 10
_OLDER = "ancient-changes"


@attrs.frozen(kw_only=True)
class Manager:
    """Who writes. An applier is the same in every version, an updater is not."""

    name: str
    operation: str = UPDATE
    api_version: str = ""
    subresource: str = ""

    def __str__(self) -> str:
        """Return the manager as conflicts name it."""
        text = f'"{self.name}"'
        if self.subresource:
            text += f' with subresource "{self.subresource}"'
        return f"{text} using {self.api_version}" if self.operation == UPDATE else text


@attrs.frozen(kw_only=True)
class Entry:
    """The fields of one manager."""

    paths: Paths
    api_version: str
    time: str = ""


Managed = dict[Manager, Entry]


def decode(entries: Any) -> Managed:
    """Return what managedFields say. Raises ``OwnershipError``."""
    managed: Managed = {}
    for row in entries or []:
        operation, version = row.get("operation", ""), row.get("apiVersion", "")
        if operation not in (APPLY, UPDATE):
            raise OwnershipError("operation must be `Apply` or `Update`")
        if not version or row.get("fieldsType") != "FieldsV1":
            raise OwnershipError("an entry needs apiVersion and the fieldsType FieldsV1")
        manager = Manager(
            name=row.get("manager", ""),
            operation=operation,
            api_version=version if operation == UPDATE else "",
            subresource=row.get("subresource", ""),
        )
        fields = paths.decode(row.get("fieldsV1") or {})
        managed[manager] = Entry(paths=fields, api_version=version, time=row.get("time", ""))
    return managed


def is_reset(entries: Any) -> bool:
    """Say whether a writer wants all managers forgotten: ``[]`` or one empty entry."""
    return isinstance(entries, list) and (not entries or entries == [{}])


def encode(managed: Managed) -> list[Object]:
    """Return the entries in the order of a real server: appliers first, then by time."""
    rows = sorted(managed.items(), key=_order)
    return [_row(manager, entry) for manager, entry in rows]


def _order(item: tuple[Manager, Entry]) -> tuple[str, ...]:
    manager, entry = item
    return (
        manager.operation,
        entry.time,
        manager.name,
        entry.api_version,
        manager.subresource,
    )


def _row(manager: Manager, entry: Entry) -> Object:
    row: Object = {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": entry.api_version,
        "time": entry.time,
        "fieldsType": "FieldsV1",
        "fieldsV1": paths.encode(entry.paths),
        "subresource": manager.subresource,
    }
    return {key: value for key, value in row.items() if value != ""}


def capped(managed: Managed) -> Managed:
    """Return the entries with the oldest updates joined, so that at most ten are left."""
    updates = [one for one in managed.items() if one[0].operation == UPDATE]
    updates.sort(key=lambda one: (one[1].time, one[0].name))
    result, count = dict(managed), len(updates)
    first: dict[str, Manager] = {}
    for manager, entry in updates:
        if count <= _MOST_UPDATES:
            break
        version = entry.api_version
        if version not in first:
            first[version] = manager
            continue
        bucket = Manager(name=_OLDER, api_version=version)
        held = result.get(bucket) or result.pop(first[version])
        joined = held.paths | entry.paths
        del result[manager]
        result[bucket] = attrs.evolve(entry, paths=joined)
        count -= 1
    return result
