"""Requests for devices, and references to them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from conformance.dra.features import Features
from conformance.dra.validation import configs, naming
from conformance.dra.validation.lists import each, each_unique
from conformance.dra.vocabulary import (
    ALLOCATION_MODES,
    DERIVED_ATTRIBUTES,
    SELECTORS,
    SUBREQUESTS,
    TAINT_EFFECTS,
    TOLERATION_OPERATORS,
)
from conformance.kube.fields import FieldError, invalid, not_supported, required, too_many
from conformance.kube.objects import Object

_ONE_OF = "exactly one of `exactly` or `firstAvailable` is required"
_REFERENCE = (
    "must be the name of a request in the claim or the name of a request and a subrequest "
    "separated by '/'"
)

#: The names of requests, each with the names of its subrequests.
Names = Mapping[str, frozenset[str]]

#: Attributes that constraints name which apply to any of these requests; "" is all requests.
Attributes = Callable[..., frozenset[str]]


def request(one: Object, path: str, features: Features, used: Attributes) -> Iterator[FieldError]:
    """Check a request: a name, and one way of asking.

    ``used`` are the attributes of the claim's constraints.
    """
    name = one.get("name") or ""
    yield from naming.label(one.get("name"), f"{path}.name")
    exactly, alternatives = one.get("exactly"), one.get("firstAvailable") or []
    if exactly is not None and alternatives:
        yield invalid(path, None, f"{_ONE_OF}, but multiple fields are set")
    elif exactly is not None:
        yield from _asked(exactly, f"{path}.exactly", features)
        yield from _derived(exactly, f"{path}.exactly", features, used("", name))
    elif alternatives:
        yield from each_unique(
            alternatives,
            f"{path}.firstAvailable",
            lambda sub, at: _subrequest(sub, at, features, name, used),
            key=lambda sub: sub.get("name"),
            limit=SUBREQUESTS,
        )
    else:
        yield required(path, _ONE_OF)


def _subrequest(
    one: Object, path: str, features: Features, parent: str, used: Attributes
) -> Iterator[FieldError]:
    yield from naming.label(one.get("name"), f"{path}.name")
    yield from _asked(one, path, features)
    whole = f"{parent}/{one.get('name') or ''}"
    yield from _derived(one, path, features, used("", parent, whole))


def _derived(
    one: Object, path: str, features: Features, used: frozenset[str]
) -> Iterator[FieldError]:
    """Check the derived attributes of a request; each must be asked for by a constraint."""
    present, at = one.get("derivedAttributes") or [], f"{path}.derivedAttributes"
    if len(present) > DERIVED_ATTRIBUTES:
        yield too_many(at, len(present), DERIVED_ATTRIBUTES)

    def attribute(item: Object, here: str) -> Iterator[FieldError]:
        name, text = item.get("name"), item.get("expression")
        if not name:
            yield required(f"{here}.name")
        else:
            if len(present) <= DERIVED_ATTRIBUTES:
                yield from naming.fully_qualified(name, f"{here}.name")
            if name not in used:
                detail = (
                    "must be referenced by at least one matchAttribute or distinctAttribute "
                    "constraint targeting this request"
                )
                yield invalid(f"{here}.name", name, detail)
        if text:
            yield from configs.derived(text, f"{here}.expression", features)
        else:
            yield required(f"{here}.expression")

    yield from each_unique(present, at, attribute, key=lambda item: item.get("name"))


def _asked(one: Object, path: str, features: Features) -> Iterator[FieldError]:
    yield from naming.subdomain(one.get("deviceClassName"), f"{path}.deviceClassName")
    yield from each(
        one.get("selectors"),
        f"{path}.selectors",
        lambda selector, at: configs.selector(selector, at, features),
        limit=SELECTORS,
    )
    yield from allocation_mode(one, path)
    # The API's documentation allows 16 tolerations; Kubernetes 1.37.2 takes any number.
    yield from each(one.get("tolerations"), f"{path}.tolerations", toleration)
    # The names of requested capacities are taken as they are by Kubernetes 1.37.2.


def allocation_mode(one: Object, path: str) -> Iterator[FieldError]:
    """Check mode and count: ``All`` has no count, ``ExactCount`` a positive one."""
    mode, count = one.get("allocationMode", ""), one.get("count") or 0
    if mode == "All":
        if count != 0:
            detail = "must not be specified when allocationMode is 'All'"
            yield invalid(f"{path}.count", count, detail)
    elif mode == "ExactCount":
        if count <= 0:
            yield invalid(f"{path}.count", count, "must be greater than zero")
    else:
        yield not_supported(f"{path}.allocationMode", mode, ALLOCATION_MODES)


def toleration(one: Object, path: str) -> Iterator[FieldError]:
    """Check a toleration of device taints (KEP-5055)."""
    key, operator, value = one.get("key"), one.get("operator"), one.get("value")
    if key:
        yield from naming.label_key(key, f"{path}.key")
    if operator == "Exists":
        if value:
            yield invalid(f"{path}.value", value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from naming.label_value(value, f"{path}.value")
    elif not operator:
        yield required(f"{path}.operator")
    else:
        yield not_supported(f"{path}.operator", operator, TOLERATION_OPERATORS)
    effect = one.get("effect")
    if effect and effect not in TAINT_EFFECTS:
        yield not_supported(f"{path}.effect", effect, TAINT_EFFECTS)


def request_names(spec: Object) -> Names:
    """Return the names of requests and subrequests of a claim's spec."""
    return {
        one.get("name", ""): frozenset(
            sub.get("name", "") for sub in one.get("firstAvailable") or []
        )
        for one in (spec.get("devices") or {}).get("requests") or []
    }


def reference(names: Names) -> Callable[[str, str], Iterator[FieldError]]:
    """Return the rule that a name refers to one of the requests."""

    def rule(name: str, path: str) -> Iterator[FieldError]:
        segments = name.split("/")
        if len(segments) > 2:
            yield invalid(path, name, _REFERENCE)
            return
        for segment in segments:
            yield from naming.label(segment, path)
        parent, _, sub = name.partition("/")
        if parent not in names or ("/" in name and sub not in names[parent]):
            yield invalid(path, name, _REFERENCE)

    return rule
