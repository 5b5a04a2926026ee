"""How an API server can be wrong about server-side apply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

_Apply = Any


def _entries(obj: Object | None) -> list[Object]:
    return list(((obj or {}).get("metadata") or {}).get("managedFields") or [])


def _with_entries(obj: Object, entries: list[Object]) -> Object:
    return {**obj, "metadata": {**obj["metadata"], "managedFields": entries}}


def _is_own(row: Object, writer: Any) -> bool:
    return row.get("manager") == writer.name and row["operation"] == "Apply"


def _replace_devices(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    wanted = (document.get("status") or {}).get("devices")
    if wanted and not writer.force:
        named = [(one["driver"], one["device"]) for one in wanted]
        kept = made["status"]["devices"]
        made["status"]["devices"] = [one for one in kept if (one["driver"], one["device"]) in named]
    return made


def _always_force(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    return real(registry, target, live, document, attrs.evolve(writer, force=True))


def _forget_others_by_force(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    if not writer.force:
        return made
    return _with_entries(made, [row for row in _entries(made) if _is_own(row, writer)])


def _forget_before(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    if live is not None and "status" in document and not document["status"].get("devices"):
        left = [row for row in _entries(live) if not _is_own(row, writer)]
        live = _with_entries(live, left)
    return real(registry, target, live, document, writer)


def _forget_others_when_applied_again(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    rows = _entries(live)
    is_again = any(_is_own(row, writer) for row in rows)
    if live is not None and is_again and target.subresource == "status":
        others = [row for row in rows if row["operation"] != "Apply" or _is_own(row, writer)]
        live = _with_entries(live, others)
    return real(registry, target, live, document, writer)


def _replace_finalizers(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    wanted = document["metadata"].get("finalizers")
    if wanted:
        made["metadata"]["finalizers"] = list(wanted)
    return made


def _add_devices(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    if target.resource.plural == "resourceslices" and live is not None:
        spec = made["spec"]
        made = {**made, "spec": {**spec, "devices": [*live["spec"]["devices"], *spec["devices"]]}}
    return made


def _own_the_status(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    rows = [
        {**row, "fieldsV1": {**row["fieldsV1"], "f:metadata": {}, "f:status": {}}}
        if _is_own(row, writer) and document["metadata"].get("labels")
        else row
        for row in _entries(made)
    ]
    return _with_entries(made, rows)


def _note_no_updates(
    real: Any, registry: Any, target: Any, old: Object | None, new: Object, writer: Any
) -> list[Object]:
    if old is not None and writer is not None and not writer.applies:
        return _entries(old)
    return real(registry, target, old, new, writer)


def _write_always(
    real: _Apply, registry: Any, target: Any, live: Object | None, document: Object, writer: Any
) -> Object:
    made = real(registry, target, live, document, writer)
    for device in (made.get("status") or {}).get("devices") or []:
        count = (device.get("data") or {}).get("count", 0)
        device["data"] = {"count": count + 1}
    return made


def _say_nothing(*_: Any) -> dict[str, Object]:
    return {}


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-replaces-the-status-of-all-devices": _replace_devices,
    "apiserver-knows-no-conflicts": _always_force,
    "apiserver-forces-more-than-the-contested-field": _forget_others_by_force,
    "apiserver-keeps-what-an-applier-leaves-out": _forget_before,
    "apiserver-removes-what-another-manager-owns": _forget_others_when_applied_again,
    "apiserver-replaces-lists-with-keys": _replace_finalizers,
    "apiserver-merges-the-devices-of-a-slice": _add_devices,
    "apiserver-notes-owners-of-what-it-does-not-write": _own_the_status,
    "apiserver-notes-no-updates": _note_no_updates,
    "apiserver-writes-what-has-not-changed": _write_always,
    "apiserver-does-not-say-how-lists-are-shared": _say_nothing,
}
