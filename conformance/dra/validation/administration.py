"""What administrators define for all: DeviceClass and DeviceTaintRule."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import configs, naming
from conformance.dra.validation.devices import taint
from conformance.dra.validation.lists import each
from conformance.dra.validation.status import conditions
from conformance.dra.vocabulary import CONFIGS, RULE_CONDITIONS, SELECTORS
from conformance.kube import names
from conformance.kube.fields import FieldError, invalid, required, too_many
from conformance.kube.objects import Object


def create_class(device_class: Object, features: Features) -> Iterator[FieldError]:
    """Check a new class: selectors, configuration, the extended resource it stands for."""
    yield from _spec(device_class.get("spec") or {}, {}, features)


def update_class(new: Object, old: Object, features: Features) -> Iterator[FieldError]:
    """Check a changed class; expressions that stay as they are stay valid."""
    yield from _spec(new.get("spec") or {}, old.get("spec") or {}, features)


def _spec(spec: Object, old: Object, features: Features) -> Iterator[FieldError]:
    stored = bool(old) and spec.get("selectors") == old.get("selectors")

    def selector(one: Object, path: str) -> Iterator[FieldError]:
        if not stored:
            yield from configs.selector(one, path, features)
        elif one.get("cel") is None:
            yield required(f"{path}.cel")

    yield from each(spec.get("selectors"), "spec.selectors", selector, limit=SELECTORS)
    yield from each(spec.get("config"), "spec.config", configs.configuration, limit=CONFIGS)
    name = spec.get("extendedResourceName")
    if name is not None and not is_extended_resource(name):
        detail = "must be a valid extended resource name"
        yield invalid("spec.extendedResourceName", name, detail)


def is_extended_resource(name: str) -> bool:
    """Return whether the name is one of a resource outside of Kubernetes' own domain."""
    domain = name.rpartition("/")[0]
    native = not domain or "kubernetes.io/" in name
    if native or name.startswith("requests."):
        return False
    return not names.qualified_name(f"requests.{name}")


def create_rule(rule: Object, _features: Features) -> Iterator[FieldError]:
    """Check a new rule: which devices it selects, and their taint (KEP-5055)."""
    yield from _rule(rule.get("spec") or {}, {})


def update_rule(new: Object, old: Object, _features: Features) -> Iterator[FieldError]:
    """Check a changed rule; an effect that stays stays valid."""
    yield from _rule(new.get("spec") or {}, old.get("spec") or {})


def update_rule_status(new: Object, _old: Object, _features: Features) -> Iterator[FieldError]:
    """Check the conditions of a rule."""
    present = (new.get("status") or {}).get("conditions") or []
    yield from conditions(present, "status.conditions")
    if len(present) > RULE_CONDITIONS:
        yield too_many("status.conditions", len(present), RULE_CONDITIONS)


def _rule(spec: Object, old: Object) -> Iterator[FieldError]:
    selector = spec.get("deviceSelector") or {}
    if selector.get("driver") is not None:
        yield from naming.driver(selector["driver"], "spec.deviceSelector.driver")
    if selector.get("pool") is not None:
        yield from naming.pool(selector["pool"], "spec.deviceSelector.pool")
    if selector.get("device") is not None:
        yield from naming.label(selector["device"], "spec.deviceSelector.device")
    before = (old.get("taint") or {}).get("effect")
    yield from taint(spec.get("taint") or {}, "spec.taint", before)
