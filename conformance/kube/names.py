"""What Kubernetes takes as a name, a label or an identifier."""

from __future__ import annotations

import re
from collections.abc import Callable

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

LABEL_LIMIT = 63
SUBDOMAIN_LIMIT = 253

#: Letters of a generated suffix, and how much of the given prefix is kept before it.
SUFFIX_LENGTH = 5
PREFIX_LIMIT = SUBDOMAIN_LIMIT - SUFFIX_LENGTH

_SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LABEL_RULE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
    "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_QUALIFIED_RULE = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
    " or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
_IDENTIFIER_RULE = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of "
    "alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for "
    "validation is '[A-Za-z_][A-Za-z0-9_]*')"
)


def _length(text: str, limit: int) -> list[str]:
    return [f"must be no more than {limit} bytes"] if len(text) > limit else []


def dns_label(text: str) -> list[str]:
    """Return what keeps the text from being a DNS-1123 label, as the API server says it."""
    trouble = _length(text, LABEL_LIMIT)
    return trouble if _LABEL.fullmatch(text) else [*trouble, _LABEL_RULE]


def dns_subdomain(text: str) -> list[str]:
    """Return what keeps the text from being a DNS-1123 subdomain."""
    trouble = _length(text, SUBDOMAIN_LIMIT)
    return trouble if _SUBDOMAIN.fullmatch(text) else [*trouble, _SUBDOMAIN_RULE]


def qualified_name(text: str) -> list[str]:
    """Return what keeps the text from being a qualified name, such as a label's key."""
    prefix, slash, name = text.rpartition("/")
    if slash and not prefix:
        return ["prefix part must be non-empty"]
    trouble = [f"prefix part {one}" for one in dns_subdomain(prefix)] if prefix else []
    if not name:
        return [*trouble, "name part must be non-empty", f"{_QUALIFIED_RULE}"]
    trouble += [f"name part {one}" for one in _length(name, LABEL_LIMIT)]
    return trouble if _QUALIFIED.fullmatch(name) else [*trouble, _QUALIFIED_RULE]


def label_value(text: str) -> list[str]:
    """Return what keeps the text from being a label's value; empty is a value."""
    trouble = _length(text, LABEL_LIMIT)
    return trouble if not text or _QUALIFIED.fullmatch(text) else [*trouble, _VALUE_RULE]


def c_identifier(text: str) -> list[str]:
    """Return what keeps the text from being a C identifier."""
    return [] if _IDENTIFIER.fullmatch(text) else [_IDENTIFIER_RULE]


def generated(prefix: str, suffix: Callable[[int], str]) -> str:
    """Return the name that ``generateName`` gives, with a source of random letters."""
    return prefix[:PREFIX_LIMIT] + suffix(SUFFIX_LENGTH)
