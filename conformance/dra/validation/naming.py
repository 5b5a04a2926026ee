"""Names of drivers, pools, devices, requests, attributes and labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from conformance.dra.vocabulary import (
    DRIVER_NAME_LENGTH,
    ID_LENGTH,
    POOL_NAME_LENGTH,
)
from conformance.kube import names
from conformance.kube.fields import FieldError, invalid, required, too_long

_UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def _all(details: Sequence[str], value: str, path: str) -> Iterator[FieldError]:
    for detail in details:
        yield invalid(path, value, detail)


def _required(
    value: str | None, path: str, check: Callable[[str], list[str]]
) -> Iterator[FieldError]:
    if not value:
        yield required(path)
    else:
        yield from _all(check(value), value, path)


def driver(value: str | None, path: str) -> Iterator[FieldError]:
    """Check a driver's name: a subdomain of at most 63 bytes, in upper or lower case."""
    if not value:
        yield required(path)
        return
    if len(value) > DRIVER_NAME_LENGTH:
        yield too_long(path, DRIVER_NAME_LENGTH)
    yield from _all(names.dns_subdomain(value.lower()), value, path)


def pool(value: str | None, path: str) -> Iterator[FieldError]:
    """Check a pool's name: subdomains separated by slashes."""
    if not value:
        yield required(path)
        return
    yield from pool_parts(value, path)


def pool_parts(value: str, path: str) -> Iterator[FieldError]:
    """Check a pool's name that may not be absent; an empty one is invalid, not missing."""
    if len(value) > POOL_NAME_LENGTH:
        yield too_long(path, POOL_NAME_LENGTH)
    for part in value.split("/"):
        yield from _all(names.dns_subdomain(part), part, path)


def long_driver(value: str | None, path: str) -> Iterator[FieldError]:
    """Check a driver's name where up to 253 bytes are taken (ResourcePoolStatusRequest)."""
    yield from _required(value, path, lambda text: names.dns_subdomain(text.lower()))


def label(value: str | None, path: str) -> Iterator[FieldError]:
    """Check the name of a device, request or counter: a DNS label.

    An absent name is an invalid one, not a missing one, as in Kubernetes 1.37.2.
    """
    yield from _all(names.dns_label(value or ""), value or "", path)


def present_label(value: str | None, path: str) -> Iterator[FieldError]:
    """Check the name of a counter set: a DNS label, and present."""
    yield from _required(value, path, names.dns_label)


def subdomain(value: str | None, path: str) -> Iterator[FieldError]:
    """Check the name of a class or node: a DNS subdomain, and present."""
    yield from _required(value, path, names.dns_subdomain)


def node_name(value: str | None, path: str) -> Iterator[FieldError]:
    """Check the name of a node in a selector's values: a DNS subdomain."""
    yield from _all(names.dns_subdomain(value or ""), value or "", path)


def label_key(value: str | None, path: str) -> Iterator[FieldError]:
    """Check a label's key, which taints and conditions are named by as well."""
    yield from _all(names.qualified_name(value or ""), value or "", path)


def label_value(value: str | None, path: str) -> Iterator[FieldError]:
    """Check a label's value; empty is one."""
    yield from _all(names.label_value(value or ""), value or "", path)


def identifier(value: str, path: str) -> Iterator[FieldError]:
    """Check the part of an attribute's name behind the domain."""
    if len(value) > ID_LENGTH:
        yield too_long(path, ID_LENGTH)
    yield from _all(names.c_identifier(value), value, path)


def qualified(value: str, path: str) -> Iterator[FieldError]:
    """Check the name of an attribute or capacity, with or without domain.

    A name with more than one slash passes, as in Kubernetes 1.37.2.
    """
    parts = value.split("/")
    if len(parts) == 1:
        yield from identifier(value, path)
    elif len(parts) == 2:
        yield from _domain_and_name(parts[0], parts[1], path)


def _domain_and_name(domain: str, name: str, path: str) -> Iterator[FieldError]:
    if domain:
        yield from driver(domain, path)
    else:
        yield invalid(path, "", "the domain must not be empty")
    if name:
        yield from identifier(name, path)
    else:
        yield invalid(path, "", "the name must not be empty")


def fully_qualified(value: str, path: str) -> Iterator[FieldError]:
    """Check the name of an attribute that needs a domain."""
    yield from qualified(value, path)
    if "/" not in value:
        detail = "a fully qualified name must be a domain and a name separated by a slash"
        yield invalid(path, value, detail)


def uid(value: str, path: str) -> Iterator[FieldError]:
    """Check a share's identity: a UUID in lower case."""
    if not _UID.fullmatch(value):
        detail = (
            "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with "
            "lowercase hexadecimal characters"
        )
        yield invalid(path, value, detail)
