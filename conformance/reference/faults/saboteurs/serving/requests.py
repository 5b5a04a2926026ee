"""How a cluster can be wrong about what is asked of its API and what it answers."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.faults.saboteurs.serving.misreading import (
    Misreading,
    labels,
    misreads,
    overlooks,
    prepares,
    reads,
)
from conformance.reference.faults.seams import Saboteur

_CLASSES, _CLAIMS = "deviceclasses", "resourceclaims"
_TEMPLATES = "resourceclaimtemplates"

#: The uid that nobody has, of the suite.
_NOBODY = "11111111-2222-3333-4444-555555555555"


def _where(key: str, value: str, change: Misreading) -> Misreading:
    """Return the change, made only where a part of the query begins so."""

    def changed(query: dict[str, str]) -> None:
        is_ours = "labelSelector" in query or key == "dryRun"
        if query.get(key, "").startswith(value) and is_ours:
            change(query)

    return changed


def _takes_the_first_label(query: dict[str, str]) -> None:
    query["labelSelector"] = query.get("labelSelector", "").split(",")[0]


def _goes_on_now(query: dict[str, str]) -> None:
    place = query.get("continue", "")
    if place and place != "surprise":
        text = json.loads(base64.urlsafe_b64decode(place + "=" * (-len(place) % 4)))
        later = json.dumps({**text, "rv": "-1"})
        query["continue"] = base64.urlsafe_b64encode(later.encode()).decode()


def _goes_back(query: dict[str, str]) -> None:
    if query.get("resourceVersion"):
        before = str(int(query["resourceVersion"]) - 1)
        query.update(resourceVersion=before, resourceVersionMatch="Exact")


def _matches_nothing(query: dict[str, str]) -> None:
    if not query.get("resourceVersion"):
        query.pop("resourceVersionMatch", None)


def _needs_no_match(query: dict[str, str]) -> None:
    if "resourceVersionMatch" not in query:
        query.pop("sendInitialEvents", None)


def _trusts_the_token(query: dict[str, str]) -> None:
    if query.get("continue"):
        query.pop("resourceVersion", None)


def _names_somebody(query: dict[str, str]) -> None:
    query.setdefault("fieldManager", "nobody")


def _stays_at_home(real: Any, asked: str, target: Any, query: dict[str, str]) -> dict[str, str]:
    understood = dict(real(asked, target, query))
    of_all = (asked, target.resource.plural, target.namespace) == ("list", _TEMPLATES, "")
    if of_all and "labelSelector" in understood:
        understood["fieldSelector"] = "metadata.namespace=nowhere"
    return understood


def _has_no_status(verb: str) -> Saboteur:
    """Return a saboteur that does not find the status of claims with this verb."""

    def saboteur(real: Any, asked: str, target: Any, query: dict[str, str]) -> dict[str, str]:
        if (asked, target.resource.plural, target.subresource) == (verb, _CLAIMS, "status"):
            raise StatusError(404, "NotFound", "the server could not find the requested resource")
        return real(asked, target, query)

    return saboteur


def _tells(verb: str, plural: str, code: int, other: int) -> Saboteur:
    """Return a saboteur that tells another code about a refusal."""

    def saboteur(real: Any, error: StatusError, asked: str, target: Any) -> StatusError:
        told: StatusError = real(error, asked, target)
        where = (asked, target.resource.plural, target.subresource or "")
        is_about_owners = "fieldManager" in told.message
        if (*where, told.code) == (verb, plural, "", code) and not is_about_owners:
            return StatusError(other, "Failed", told.message)
        return told

    return saboteur


def _has_no_partial(real: Any, form: Any) -> Any:
    chosen = real(form)
    return attrs.evolve(chosen, form="") if chosen.form == "PartialObjectMetadata" else chosen


def _takes_any_name(obj: Object) -> None:
    name = obj["metadata"].get("name", "")
    obj["metadata"]["name"] = name.lower().replace("_", "-")[:253]


def _takes_any_label(obj: Object) -> None:
    kept = {key: value for key, value in labels(obj).items() if " " not in key + value}
    obj["metadata"]["labels"] = kept


def _takes_any_uid(obj: Object) -> None:
    if obj["metadata"].get("uid") == _NOBODY:
        del obj["metadata"]["uid"]


def _wants_a_version(obj: Object) -> None:
    meta = obj["metadata"]
    # Whoever merges owners reads objects too, without them.
    is_sent = bool(meta.get("managedFields")) and meta.get("uid", _NOBODY) != _NOBODY
    if is_sent and not meta.get("resourceVersion"):
        raise StatusError(409, "Conflict", "metadata.resourceVersion must be specified")


def _keeps_the_status(real: Any, plural: str, obj: Object, *rest: Any) -> None:
    status = obj.get("status")
    real(plural, obj, *rest)
    if plural == _CLAIMS and status:
        obj["status"] = status


def _metadata_by_status(plural: str, new: Object, sent: Object, _old: Object, part: str) -> None:
    if plural == _CLAIMS and part == "status":
        new["metadata"]["annotations"] = sent["metadata"].get("annotations")


def _ages_as_asked(plural: str, new: Object, _sent: Object, _old: Object, part: str) -> None:
    if plural == _CLASSES and not part:
        new["metadata"]["creationTimestamp"] = "2001-01-01T00:00:00Z"


def _applies_to_what_is_there(
    real: Any, registry: Any, target: Any, live: Object | None, *rest: Any
) -> Object:
    if live is None and target.resource.plural == _CLASSES:
        raise StatusError(404, "NotFound", "not found")
    return real(registry, target, live, *rest)


def _tells_no_status(real: Any, resource: Any) -> Any:
    told = real(resource)
    return attrs.evolve(told, subresources=()) if told.plural == _CLAIMS else told


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "watches-read-half-the-labels": misreads("watch", _takes_the_first_label),
    "watches-of-slices-overlook-nodes": misreads(
        "watch", _where("fieldSelector", "spec.", overlooks("fieldSelector")), "resourceslices"
    ),
    "lists-overlook-names": misreads(
        "list", _where("fieldSelector", "metadata.", overlooks("fieldSelector"))
    ),
    "watches-overlook-names": misreads(
        "watch", _where("fieldSelector", "metadata.", overlooks("fieldSelector"))
    ),
    "lists-stay-at-home": _stays_at_home,
    "chunks-go-on-now": misreads("list", _goes_on_now),
    "lists-know-no-exact-version": misreads(
        "list",
        _where("resourceVersionMatch", "Exact", overlooks("resourceVersionMatch")),
        _TEMPLATES,
    ),
    "lists-are-older-than-asked": misreads(
        "list", _where("resourceVersionMatch", "NotOlderThan", _goes_back)
    ),
    "nobody-gets-metadata-alone": _has_no_partial,
    "any-token-goes-on": misreads("list", _where("continue", "surprise", overlooks("continue"))),
    "any-version-is-one": misreads(
        "list", _where("resourceVersion", "surprise", overlooks("resourceVersion"))
    ),
    "lists-match-nothing": misreads("list", _matches_nothing),
    "initial-events-need-no-match": misreads("watch", _needs_no_match),
    "tokens-come-with-versions": misreads("list", _trusts_the_token),
    "any-name-is-one": reads(_takes_any_name),
    "any-label-is-one": reads(_takes_any_label),
    "new-claims-keep-their-status": _keeps_the_status,
    "status-writes-set-annotations": prepares(_metadata_by_status),
    "dry-updates-are-real": misreads("update", overlooks("dryRun")),
    "dry-patches-are-real": misreads("patch", overlooks("dryRun")),
    "dry-deletions-of-collections-are-real": misreads("deletecollection", overlooks("dryRun")),
    "half-dry-runs-are-real": misreads("create", _where("dryRun", "Some", overlooks("dryRun"))),
    "another-name-is-a-wrong-value": _tells("update", _CLASSES, 400, 422),
    "what-is-gone-is-a-conflict": _tells("update", _CLASSES, 404, 409),
    "another-uid-is-the-same": reads(_takes_any_uid),
    "updates-need-a-version": reads(_wants_a_version),
    "updates-make-older": prepares(_ages_as_asked),
    "a-missing-namespace-is-forbidden": _tells("create", _TEMPLATES, 404, 403),
    "another-namespace-is-a-wrong-value": _tells("create", _TEMPLATES, 400, 422),
    "a-failed-test-is-a-conflict": _tells("patch", _CLASSES, 422, 409),
    "any-patch-is-a-bad-request": _tells("patch", _CLASSES, 415, 400),
    "applies-create-nothing": _applies_to_what_is_there,
    "applies-are-of-anybody": misreads("patch", _names_somebody),
    "the-status-cannot-be-read": _has_no_status("get"),
    "the-status-cannot-be-patched": _has_no_status("patch"),
    "discovery-hides-the-status": _tells_no_status,
}
