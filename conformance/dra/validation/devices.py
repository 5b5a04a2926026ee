"""One device of a ResourceSlice."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import naming
from conformance.dra.validation.capacities import allocatable, capacity
from conformance.dra.validation.lists import each, each_entry, each_unique
from conformance.dra.validation.nodes import node_selector
from conformance.dra.vocabulary import (
    ATTRIBUTE_VALUE_LENGTH,
    ATTRIBUTE_VALUES,
    ATTRIBUTES_AND_CAPACITIES,
    BINDING_CONDITIONS,
    COMPATIBILITY_GROUPS,
    COUNTER_CONSUMPTIONS,
    COUNTERS_PER_SET,
    DOMAIN_LENGTH,
    ID_LENGTH,
    LIST_VALUES,
    SCALAR_VALUES,
    TAINT_EFFECTS,
    TAINTS,
)
from conformance.kube import semver
from conformance.kube.fields import (
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
)
from conformance.kube.objects import Object

_KEY_LENGTH = DOMAIN_LENGTH + 1 + ID_LENGTH
_ONE_OF = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when "
    "`perDeviceNodeSelection` is set to true in the ResourceSlice spec"
)
_NOT_HERE = (
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set "
    "to true in the ResourceSlice spec"
)
_NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes")


def device(
    one: Object, path: str, old: Object | None, features: Features, *, per_device: bool
) -> Iterator[FieldError]:
    """Check a device; capacity and taints that are as in ``old`` are not looked at again."""
    yield from naming.label(one.get("name"), f"{path}.name")
    yield from _totals(one, path)
    yield from each_entry(
        one.get("attributes"),
        f"{path}.attributes",
        naming.qualified,
        _attribute,
        key_length=_KEY_LENGTH,
    )
    if old is None or old.get("capacity") != one.get("capacity"):
        shared = bool(one.get("allowMultipleAllocations"))
        yield from each_entry(
            one.get("capacity"),
            f"{path}.capacity",
            naming.qualified,
            lambda value, at: capacity(value, at, features, shared=shared),
            key_length=_KEY_LENGTH,
        )
    if old is None or old.get("taints") != one.get("taints"):
        yield from each(one.get("taints"), f"{path}.taints", taint, limit=TAINTS)
    yield from each_unique(
        one.get("consumesCounters"),
        f"{path}.consumesCounters",
        _consumption,
        key=lambda item: item.get("counterSet"),
        limit=COUNTER_CONSUMPTIONS,
    )
    if per_device:
        yield from _nodes(one, path)
    elif any(one.get(field) is not None for field in _NODE_FIELDS):
        yield invalid(path, None, _NOT_HERE)
    yield from binding_conditions(one, path)
    for name, amounts in (one.get("nodeAllocatableResources") or {}).items():
        at = f"{path}.nodeAllocatableResources[{name}]"
        yield from allocatable(name, amounts, at, one.get("capacity") or {})


def _totals(one: Object, path: str) -> Iterator[FieldError]:
    attributes = one.get("attributes") or {}
    entries = len(attributes) + len(one.get("capacity") or {})
    if entries > ATTRIBUTES_AND_CAPACITIES:
        limit = ATTRIBUTES_AND_CAPACITIES
        detail = f"the total number of attributes and capacities must not exceed {limit}"
        yield invalid(path, entries, detail)
    values = sum(
        sum(len(attribute.get(key) or []) for key in LIST_VALUES) or 1
        for attribute in attributes.values()
    )
    if values > ATTRIBUTE_VALUES:
        detail = f"the total number of attribute values must not exceed {ATTRIBUTE_VALUES}"
        yield invalid(path, values, detail)


def _attribute(one: Object, path: str) -> Iterator[FieldError]:
    present = [key for key in (*SCALAR_VALUES, *LIST_VALUES) if one.get(key) is not None]
    if "string" in present:
        yield from _text(one["string"], f"{path}.string")
    if "version" in present:
        yield from _version(one["version"], f"{path}.version")
    for key in LIST_VALUES:
        if key in present and not one[key]:
            yield invalid(f"{path}.{key}", one[key], "must not be empty if specified")
    yield from each(one.get("strings"), f"{path}.strings", _text)
    yield from each(one.get("versions"), f"{path}.versions", _version)
    if len(present) != 1:
        yield invalid(path, one if present else "", "exactly one value must be specified")


def _text(value: str, path: str) -> Iterator[FieldError]:
    if len(value.encode()) > ATTRIBUTE_VALUE_LENGTH:
        yield too_long(path, ATTRIBUTE_VALUE_LENGTH)


def _version(value: str, path: str) -> Iterator[FieldError]:
    try:
        semver.parse(value)
    except semver.SemverError:
        yield invalid(path, value, "must be a string compatible with semver.org spec 2.0.0")
    yield from _text(value, path)


def taint(one: Object, path: str, old_effect: str | None = None) -> Iterator[FieldError]:
    """Check a taint (KEP-5055); an effect that stays is not looked at again."""
    yield from naming.label_key(one.get("key"), f"{path}.key")
    yield from naming.label_value(one.get("value"), f"{path}.value")
    effect = one.get("effect")
    if old_effect is not None and effect == old_effect:
        return
    if not effect:
        yield required(f"{path}.effect")
    elif effect not in TAINT_EFFECTS:
        yield not_supported(f"{path}.effect", effect, TAINT_EFFECTS)


def _consumption(one: Object, path: str) -> Iterator[FieldError]:
    yield from naming.present_label(one.get("counterSet"), f"{path}.counterSet")
    yield from counters(one, path, COUNTERS_PER_SET)
    yield from each_unique(
        one.get("compatibilityGroups"),
        f"{path}.compatibilityGroups",
        naming.label,
        limit=COMPATIBILITY_GROUPS,
    )


def counters(one: Object, path: str, limit: int) -> Iterator[FieldError]:
    """Check the counters of a set, or those that a device consumes: named, and some."""
    if not one.get("counters"):
        yield required(f"{path}.counters")
        return
    yield from each_entry(
        one["counters"], f"{path}.counters", naming.label, _any_quantity, limit=limit
    )


def _any_quantity(_value: Object, _path: str) -> Iterator[FieldError]:
    # Quantities are parsed when the object is decoded; every one that parses is valid.
    return iter(())


def _nodes(one: Object, path: str) -> Iterator[FieldError]:
    chosen: list[str] = []
    name, selector, everywhere = (one.get(field) for field in _NODE_FIELDS)
    if name:
        chosen.append("`nodeName`")
        yield from naming.subdomain(name, f"{path}.nodeName")
    elif name is not None:
        yield invalid(f"{path}.nodeName", name, "must not be empty")
    if selector is not None:
        chosen.append("`nodeSelector`")
        yield from node_selector(selector, f"{path}.nodeSelector")
    if everywhere:
        chosen.append("`allNodes`")
    elif everywhere is not None:
        yield invalid(f"{path}.allNodes", everywhere, "must be either unset or set to true")
    if not chosen:
        yield required(path, _ONE_OF)
    elif len(chosen) > 1:
        yield invalid(path, "{" + ", ".join(chosen) + "}", _ONE_OF)


def binding_conditions(one: Object, path: str) -> Iterator[FieldError]:
    """Check the binding conditions (KEP-5007) of a device or result.

    They are names without duplicates or overlap, and neither list stands without the other.
    """
    binding, failure = f"{path}.bindingConditions", f"{path}.bindingFailureConditions"
    wanted = one.get("bindingConditions") or []
    failures = one.get("bindingFailureConditions") or []
    yield from each(wanted, binding, naming.label_key, limit=BINDING_CONDITIONS)
    yield from each(failures, failure, naming.label_key, limit=BINDING_CONDITIONS)
    yield from _duplicates(wanted, binding)
    yield from _duplicates(failures, failure)
    for index, name in enumerate(failures):
        if name in wanted:
            detail = "bindingFailureConditions must not overlap with bindingConditions"
            yield invalid(f"{failure}[{index}]", name, detail)
    if failures and not wanted:
        detail = "bindingConditions are required to use bindingFailureConditions"
        yield invalid(binding, wanted, detail)
    if wanted and not failures:
        detail = "bindingFailureConditions are required to use bindingConditions"
        yield invalid(failure, failures, detail)


def _duplicates(names: list[str], path: str) -> Iterator[FieldError]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield duplicate(f"{path}[{index}]", name)
