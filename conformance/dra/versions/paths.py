"""Where v1beta1 says that an error is: some paths are flat, the others are those of v1.

Kubernetes 1.37 validates twice. Rules that are declared beside the types speak of the version
that was sent; the others, written by hand over the stored form, speak of v1. Which rule is
declared was found out on a real API server, write by write (``tests/differential/api``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from conformance.kube.fields import ErrorKind, FieldError

_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\.exactly\.(.*)")
_DEVICE = re.compile(r"(spec\.devices\[\d+\])\.(.*)")

_INVALID, _REQUIRED = ErrorKind.INVALID, ErrorKind.REQUIRED
_MANY, _LONG = ErrorKind.TOO_MANY, ErrorKind.TOO_LONG
_UNSUPPORTED, _TWICE = ErrorKind.NOT_SUPPORTED, ErrorKind.DUPLICATE

#: Declared rules of a request: the path below it, and the kinds of their errors.
_REQUEST_RULES = (
    (r"allocationMode", {_UNSUPPORTED}),
    (r"(selectors|derivedAttributes)", {_MANY}),
    (r"tolerations\[\d+\]\.key", {_INVALID}),
    (r"tolerations\[\d+\]\.(operator|effect)", {_UNSUPPORTED}),
    (r"derivedAttributes\[\d+\]\.(name|expression)", {_REQUIRED}),
    (r"derivedAttributes\[\d+\]\.name", {_INVALID, _LONG}),
)

#: Declared rules of a device.
_DEVICE_RULES = (
    (r"attributes\[[^\]]+\]", {_INVALID}),
    (r"(bindingConditions|bindingFailureConditions|consumesCounters)", {_MANY}),
    (r"consumesCounters\[\d+\]", {_TWICE}),
    (r"consumesCounters\[\d+\]\.counterSet", {_INVALID, _REQUIRED}),
    (r"consumesCounters\[\d+\]\.counters", {_REQUIRED}),
    (r"taints\[\d+\]\.effect", {_UNSUPPORTED, _REQUIRED}),
)

#: What rules written by hand say where a declared one has the same path and kind.
_BY_HAND = re.compile(r"must be referenced")


def spelled(errors: Iterable[FieldError], version: str) -> Iterator[FieldError]:
    """Yield errors about the stored form as a version (``resource.k8s.io/v1beta1``) has them."""
    if version != "resource.k8s.io/v1beta1":
        yield from errors
        return
    for error in errors:
        yield attrs.evolve(error, path=_path(error))


def _path(error: FieldError) -> str:
    for shape, rules, between in (
        (_REQUEST, _REQUEST_RULES, "."),
        (_DEVICE, _DEVICE_RULES, ".basic."),
    ):
        found = shape.fullmatch(error.path)
        if found and _is_declared(error, found[2], rules):
            return f"{found[1]}{between}{found[2]}"
    return error.path


def _is_declared(
    error: FieldError, below: str, rules: Iterable[tuple[str, set[ErrorKind]]]
) -> bool:
    # An empty value counts as none for a declared rule.
    if error.kind is _UNSUPPORTED and not error.value:
        return False
    return not _BY_HAND.search(error.detail) and any(
        error.kind in kinds and re.fullmatch(rule, below) for rule, kinds in rules
    )
