"""DeviceClass: selectors, configuration and the extended resource that it stands for."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dra.features import Features
from conformance.dra.validation import configs
from conformance.dra.validation.lists import each
from conformance.dra.vocabulary import CONFIGS, SELECTORS
from conformance.kube import names
from conformance.kube.fields import FieldError, invalid, required
from conformance.kube.objects import Object


def create(device_class: Object, features: Features) -> Iterator[FieldError]:
    """Check a new class."""
    yield from _spec(device_class.get("spec") or {}, {}, features)


def update(new: Object, old: Object, features: Features) -> Iterator[FieldError]:
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
