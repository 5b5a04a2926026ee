"""How a cluster can be wrong about the verbs and rules of its API."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.faults.saboteurs.serving.misreading import (
    labels,
    misreads,
    overlooks,
    prepares,
    reads,
)
from conformance.reference.faults.seams import Saboteur

_CLASSES = "deviceclasses"
_FINALIZER = "resource.kubernetes.io/delete-protection"


def _cuts(query: dict[str, str]) -> None:
    # Nobody of the reference itself lists by labels.
    if "labelSelector" in query:
        query.setdefault("limit", "2")


def _takes_the_first_label(query: dict[str, str]) -> None:
    if "labelSelector" in query:
        query["labelSelector"] = query["labelSelector"].split(",")[0]


def _starts_over(query: dict[str, str]) -> None:
    if "labelSelector" in query and query.get("resourceVersion"):
        query["resourceVersion"] = "0"


def _confuses_validation(query: dict[str, str]) -> None:
    confused = {"Strict": "Ignore", "Warn": "Ignore", "Ignore": "Warn"}
    if "fieldValidation" in query:
        query["fieldValidation"] = confused[query["fieldValidation"]]


def _selects_all_slices(query: dict[str, str]) -> None:
    if "labelSelector" in query:
        query.pop("fieldSelector", None)


def _shows(change: Callable[[Object], None]) -> Saboteur:
    """Return a saboteur that shows the classes of the suite changed so."""

    def saboteur(real: Any, obj: Object, version: str) -> Object:
        shown = real(obj, version)
        if shown["kind"] == "DeviceClass" and "team" in labels(shown):
            shown = copy.deepcopy(shown)
            change(shown)
        return shown

    return saboteur


def _hides_its_birth(obj: Object) -> None:
    obj["metadata"].pop("creationTimestamp", None)


def _hides_a_label(obj: Object) -> None:
    labels(obj).pop("patched", None)


def _loses_the_update(obj: Object) -> None:
    labels(obj).pop("updated", None)


def _names_otherwise(obj: Object) -> None:
    meta = obj["metadata"]
    if meta.get("generateName") and not meta.get("name"):
        meta["generateName"] = f"x{meta['generateName']}"


def _unconditional(obj: Object) -> None:
    obj["metadata"].pop("resourceVersion", None)


def _unprotects(obj: Object) -> None:
    if obj["metadata"].get("finalizers") == [_FINALIZER]:
        del obj["metadata"]["finalizers"]


def _forgets_annotations(real: Any, content_type: str, patched: Object) -> Object:
    kept = copy.deepcopy(real(content_type, patched))
    kept["metadata"].pop("annotations", None)
    return kept


def _keeps_deleted(real: Any, obj: Object, grace: int) -> bool:
    bare = set(labels(obj)) & {"patched", "doomed"} == set()
    is_ours = obj.get("kind") == "DeviceClass" and "team" in labels(obj) and bare
    return not is_ours and real(obj, grace)


def _deletes_protected(real: Any, obj: Object, grace: int) -> bool:
    return obj.get("kind") == "ResourceClaim" or real(obj, grace)


def _labels_by_status(plural: str, new: Object, sent: Object, _old: Object, part: str) -> None:
    if plural == "resourceclaims" and part == "status":
        new["metadata"]["labels"] = labels(sent)


def _resets_status(plural: str, new: Object, _sent: Object, _old: Object, part: str) -> None:
    if plural == "resourceclaims" and not part and "updated" in labels(new):
        new["status"] = {}


def _drops_the_empty(plural: str, new: Object, sent: Object, _old: Object, part: str) -> None:
    if plural == "resourceclaims" and part == "status":
        allocation = (sent.get("status") or {}).get("allocation")
        if allocation is not None and not allocation.get("devices"):
            new["status"].pop("allocation", None)


def _counts_nothing(plural: str, new: Object, _sent: Object, old: Object, _part: str) -> None:
    if plural == _CLASSES:
        new["metadata"]["generation"] = old["metadata"]["generation"]


def _counts_labels(plural: str, new: Object, _sent: Object, old: Object, _part: str) -> None:
    if plural == _CLASSES and labels(new) != labels(old):
        new["metadata"]["generation"] = old["metadata"]["generation"] + 1


def _allows(real: Any, plural: str, *rest: Any) -> Any:
    if plural in ("resourceclaims", "resourceclaimtemplates"):
        return []
    return real(plural, *rest)


def _tells_less(real: Any, resource: Any) -> Any:
    told = real(resource)
    if told.plural != _CLASSES:
        return told
    return attrs.evolve(
        told, verbs=tuple(verb for verb in told.verbs if verb != "deletecollection")
    )


def _misnames_the_conflict(real: Any, error: StatusError, verb: str, target: Any) -> StatusError:
    told = real(error, verb, target)
    if (verb, target.resource.plural, told.code) == ("create", _CLASSES, 409):
        return StatusError(422, "Invalid", told.message)
    return told


def _knows_no_tables(real: Any, form: Any) -> Any:
    chosen = real(form)
    return attrs.evolve(chosen, form="") if chosen.form == "Table" else chosen


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "api-hides-the-birth": _shows(_hides_its_birth),
    "api-cuts-lists": misreads("list", _cuts),
    "watches-hide-labels": _shows(_hides_a_label),
    "api-loses-updates": reads(_loses_the_update),
    "patches-forget-annotations": _forgets_annotations,
    "api-keeps-the-deleted": _keeps_deleted,
    "collections-are-deleted-whole": misreads(
        "deletecollection", overlooks("labelSelector"), "resourceclaimtemplates"
    ),
    "status-writes-set-labels": prepares(_labels_by_status),
    "updates-reset-the-status": prepares(_resets_status),
    "empty-allocations-are-dropped": prepares(_drops_the_empty),
    "discovery-hides-a-verb": _tells_less,
    "names-are-generated-otherwise": reads(_names_otherwise),
    "outdated-writes-win": reads(_unconditional),
    "a-taken-name-is-a-wrong-value": _misnames_the_conflict,
    "watches-start-over": misreads("watch", _starts_over),
    "watches-send-no-bookmarks": misreads("watch", overlooks("allowWatchBookmarks")),
    "chunks-start-over": misreads("list", overlooks("continue")),
    "slices-are-not-selected": misreads("list", _selects_all_slices, "resourceslices"),
    "labels-are-half-read": misreads("list", _takes_the_first_label),
    "dry-creates-are-real": misreads("create", overlooks("dryRun")),
    "dry-deletes-are-real": misreads("delete", overlooks("dryRun")),
    "field-validation-is-confused": misreads("create", _confuses_validation),
    "api-knows-no-tables": _knows_no_tables,
    "generations-count-nothing": prepares(_counts_nothing),
    "generations-count-labels": prepares(_counts_labels),
    "claims-are-not-protected": reads(_unprotects, "ResourceClaim"),
    "finalizers-are-ignored": _deletes_protected,
    "specs-may-change": _allows,
}
