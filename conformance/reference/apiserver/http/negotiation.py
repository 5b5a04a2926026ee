"""Media types: which form of answer a client accepts."""

from __future__ import annotations

import attrs

from conformance.kube import status

JSON = "application/json"
PROTOBUF = "application/vnd.kubernetes.protobuf"
YAML = "application/yaml"

_OFFERED = (JSON, PROTOBUF, YAML)
_ANY = ("*/*", "application/*", JSON)
_FORMS = ("Table", "PartialObjectMetadata", "PartialObjectMetadataList")


@attrs.frozen(kw_only=True)
class Accepted:
    """The form that was agreed on."""

    #: Empty for the objects themselves, else Table or PartialObjectMetadata.
    form: str = ""
    group_version: str = ""


def choose(accept: str) -> Accepted:
    """Return the first offered form of an Accept header.

    Protobuf is passed over: every client that asks for it takes JSON too. Raises
    ``StatusError`` 406 when nothing fits.
    """
    clauses = [clause for clause in accept.split(",") if clause.strip()]
    if not clauses:
        return Accepted()
    for clause in clauses:
        media_type, *parameters = [part.strip() for part in clause.split(";")]
        if media_type not in _ANY:
            continue
        values = dict(part.split("=", 1) for part in parameters if "=" in part)
        form = values.get("as", "")
        if form in _FORMS:
            return Accepted(
                form=form.removesuffix("List"), group_version=f"{values['g']}/{values['v']}"
            )
        if not form:
            return Accepted()
    raise status.not_acceptable(_OFFERED)
