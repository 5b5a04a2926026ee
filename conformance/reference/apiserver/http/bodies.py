"""What was sent: JSON, YAML or protobuf, as an object of the kind that the path names."""

from __future__ import annotations

import json
from typing import Any

import attrs
import yaml

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.codec import protobuf, shapes, structure
from conformance.reference.apiserver.codec.protobuf import Undecodable
from conformance.reference.apiserver.http.negotiation import JSON, PROTOBUF, YAML

_ACCEPTED = (JSON, YAML, PROTOBUF)


@attrs.frozen(kw_only=True)
class Body:
    """A decoded object and what its decoder had to say."""

    object: Object
    warnings: list[str] = attrs.field(factory=list[str])


def parse(data: bytes, content_type: str) -> Any:
    """Return the document that was sent. Raises ``StatusError`` 400 or 415."""
    media_type = content_type.partition(";")[0].strip() or JSON
    try:
        if media_type == PROTOBUF:
            return protobuf.decode(data)
        if media_type == YAML or media_type.endswith("+yaml"):
            return yaml.load(data, yaml.CSafeLoader)
        if media_type == JSON or media_type.endswith("+json"):
            return json.loads(data)
    except Undecodable as error:
        raise status.bad_request(f"unable to decode the body of the request: {error}") from error
    except (ValueError, yaml.YAMLError) as error:
        raise status.bad_request(
            f"the object provided is unrecognized (must be of type Kind): {error}"
        ) from error
    raise status.unsupported_media_type(_ACCEPTED)


def read(data: bytes, content_type: str, resource: Resource, validation: str = "Warn") -> Body:
    """Return the object that was sent for a resource.

    ``validation`` is the query parameter ``fieldValidation``: Ignore, Warn or Strict. Raises
    ``StatusError`` 400 for another kind, a wrong type or, when strict, an unknown field.
    """
    document = parse(data, content_type)
    if not isinstance(document, dict):
        raise status.bad_request("the object provided is unrecognized (must be of type Kind)")
    obj: Object = document
    obj.setdefault("apiVersion", resource.api_version)
    obj.setdefault("kind", resource.kind)
    if (obj["apiVersion"], obj["kind"]) != (resource.api_version, resource.kind):
        raise status.bad_request(
            f'{obj["kind"]} in version "{obj["apiVersion"]}" cannot be handled as a '
            f"{resource.kind}: the API version and kind of the path differ"
        )
    return shaped(obj, validation)


def shaped(obj: Object, validation: str) -> Body:
    """Prune an object to the fields of its kind. Raises ``StatusError`` as ``read`` does."""
    message = shapes.message_of(obj["apiVersion"], obj["kind"])
    if message is None:
        return Body(object=obj)
    try:
        pruned, unknown = structure.prune(obj, message)
    except Undecodable as error:
        raise _unhandled(obj, str(error)) from error
    sentences = [f'unknown field "{path}"' for path in unknown]
    if sentences and validation == "Strict":
        raise _unhandled(obj, f"strict decoding error: {', '.join(sentences)}")
    return Body(object=pruned, warnings=sentences if validation != "Ignore" else [])


def read_options(data: bytes, content_type: str) -> Object:
    """Return the DeleteOptions of a body; an empty body is no option."""
    if not data:
        return {}
    document = parse(data, content_type)
    if not isinstance(document, dict):
        raise status.bad_request("the body of a deletion must be DeleteOptions")
    return document


def _unhandled(obj: Object, why: str) -> Exception:
    version = obj["apiVersion"].rpartition("/")[2]
    return status.bad_request(
        f'{obj["kind"]} in version "{version}" cannot be handled as a {obj["kind"]}: {why}'
    )
