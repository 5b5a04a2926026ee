"""Options of a request: what a query may say, checked before anything is done.

Source: k8s.io/apimachinery pkg/apis/meta/v1/validation and pkg/apis/meta/internalversion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conformance.kube import fields, status
from conformance.kube.fields import FieldError

_VALIDATIONS = ("", "Ignore", "Warn", "Strict")
_POLICIES = ("Background", "Foreground", "Orphan")
_MANAGER_LIMIT = 128


def check_writing(
    kind: str, query: Mapping[str, str], dry_run: Sequence[str], *, is_apply: bool = False
) -> None:
    """Check the options of a create, update or patch. Raises ``StatusError`` 422.

    ``kind`` is CreateOptions, UpdateOptions or PatchOptions.
    """
    errors: list[FieldError] = []
    manager = query.get("fieldManager", "")
    if is_apply and not manager:
        errors.append(fields.required("fieldManager", "is required for apply patch"))
    if kind == "PatchOptions" and not is_apply and "force" in query:
        errors.append(fields.forbidden("force", "may not be specified for non-apply patch"))
    errors += _manager(manager)
    errors += _dry_run(dry_run)
    validation = query.get("fieldValidation", "")
    if validation not in _VALIDATIONS:
        errors.append(fields.not_supported("fieldValidation", validation, _VALIDATIONS))
    _refuse(kind, errors)


def check_deleting(policy: str | None, orphan: bool | None, dry_run: Sequence[str]) -> None:
    """Check DeleteOptions. Raises ``StatusError`` 422."""
    errors: list[FieldError] = []
    if policy is not None and orphan is not None:
        detail = "orphanDependents and deletionPropagation cannot be both set"
        errors.append(fields.invalid("propagationPolicy", policy, detail))
    if policy is not None and policy not in _POLICIES:
        errors.append(fields.not_supported("propagationPolicy", policy, _POLICIES))
    errors += _dry_run(dry_run)
    _refuse("DeleteOptions", errors)


def check_listing(query: Mapping[str, str]) -> None:
    """Check the options of a list. Raises ``StatusError`` 422."""
    errors: list[FieldError] = []
    match, version = query.get("resourceVersionMatch", ""), query.get("resourceVersion", "")
    if match:
        if not version:
            errors.append(_match("is forbidden unless resourceVersion is provided"))
        if query.get("continue"):
            errors.append(_match("is forbidden when continue is provided"))
        if match not in ("Exact", "NotOlderThan"):
            known = ("Exact", "NotOlderThan", "")
            errors.append(fields.not_supported("resourceVersionMatch", match, known))
        if match == "Exact" and version == "0":
            errors.append(_match('"exact" is forbidden for resourceVersion "0"'))
    if "sendInitialEvents" in query:
        errors.append(
            fields.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")
        )
    _refuse("ListOptions", errors)


def check_watching(query: Mapping[str, str]) -> None:
    """Check the options of a watch. Raises ``StatusError`` 422."""
    errors: list[FieldError] = []
    match = query.get("resourceVersionMatch", "")
    wants_state = "sendInitialEvents" in query
    if not wants_state and not match and query.get("resourceVersion", "") in ("", "0"):
        # The default of a watch without a version (SetListOptionsDefaults).
        wants_state, match = True, "NotOlderThan"
    if wants_state and match != "NotOlderThan":
        detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        errors.append(fields.forbidden("resourceVersionMatch", detail))
    if match:
        if not wants_state:
            errors.append(_match("is forbidden for watch unless sendInitialEvents is provided"))
        if match != "NotOlderThan":
            known = ("NotOlderThan",)
            errors.append(fields.not_supported("resourceVersionMatch", match, known))
        if query.get("continue"):
            errors.append(_match("is forbidden when continue is provided"))
    _refuse("ListOptions", errors)


def _match(detail: str) -> FieldError:
    return fields.forbidden("resourceVersionMatch", f"resourceVersionMatch {detail}")


def _manager(manager: str) -> Iterator[FieldError]:
    if len(manager.encode()) > _MANAGER_LIMIT:
        yield fields.too_long("fieldManager", _MANAGER_LIMIT)
    if not manager.isprintable():
        yield fields.invalid("fieldManager", manager, "invalid character")


def _dry_run(values: Sequence[str]) -> list[FieldError]:
    if all(value == "All" for value in values):
        return []
    return [fields.not_supported("dryRun", list(values), ("All",))]


def _refuse(kind: str, errors: list[FieldError]) -> None:
    if errors:
        raise status.invalid(kind, "meta.k8s.io", "", errors)
