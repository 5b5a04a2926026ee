"""What was sent: JSON, YAML or protobuf, as an object of the kind that the path names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import attrs
import yaml

from conformance.kube import status
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.apiserver.codec import protobuf, shapes, structure
from conformance.reference.apiserver.codec.protobuf import Undecodable
from conformance.reference.apiserver.http.negotiation import JSON, PROTOBUF, YAML

#: Lists of which an empty one is another wish than none: it takes away what is there.
_EMPTIED = (("metadata", "managedFields"), ("status", "resourceClaimStatuses"))

#: JSON values that hold others.
_HOLDERS = (dict, list)

_ACCEPTED = (JSON, YAML, PROTOBUF)


@attrs.frozen(kw_only=True)
class Body:
    """A decoded object and what its decoder had to say."""

    object: Object
    warnings: list[str] = attrs.field(factory=list[str])


def check_applied(document: Any, resource: Resource) -> None:
    """Refuse what cannot be applied. Raises ``StatusError`` 400, or 500 for unknown fields."""
    if not isinstance(document, dict):
        raise status.bad_request("error decoding YAML: the document has the wrong shape")
    given: Object = document
    if not given.get("kind") or not given.get("apiVersion"):
        raise status.bad_request("apiVersion and kind must be set in what is applied")
    if (given.get("metadata") or {}).get("managedFields"):
        raise status.bad_request("metadata.managedFields must be nil")
    _, unknown = _prune({"apiVersion": resource.api_version, "kind": resource.kind, **given})
    if unknown:
        raise status.unknown(f".{unknown[0]}: field not declared in schema")


class Repeated(dict[str, Any]):
    """A JSON object in which these keys stood more than once; the last one counts."""

    keys_twice: tuple[str, ...] = ()


def parse(data: bytes, content_type: str) -> Any:
    """Return the document that was sent. Raises ``StatusError`` 400 or 415."""
    media_type = content_type.partition(";")[0].strip() or JSON
    try:
        if media_type == PROTOBUF:
            return protobuf.decode(data)
        if media_type == YAML or media_type.endswith("+yaml"):
            return yaml.load(data, yaml.CSafeLoader)
        if media_type == JSON or media_type.endswith("+json"):
            return json.loads(data, object_pairs_hook=_pairs)
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
    return shaped(parse(data, content_type), resource, validation)


def shaped(document: Any, resource: Resource, validation: str) -> Body:
    """Prune a document to the fields of its kind. Raises ``StatusError`` as ``read`` does."""
    if not isinstance(document, dict):
        raise status.bad_request("the object provided is unrecognized (must be of type Kind)")
    given: Object = document
    obj: Object = {"apiVersion": resource.api_version, "kind": resource.kind, **given}
    if (obj["apiVersion"], obj["kind"]) != (resource.api_version, resource.kind):
        raise status.bad_request(
            f'{obj["kind"]} in version "{obj["apiVersion"]}" cannot be handled as a '
            f"{resource.kind}: the API version and kind of the path differ"
        )
    pruned, unknown = _prune(obj)
    _keep_emptied(given, pruned)
    sentences: list[str] = []
    if _repeats(given):
        sentences += [f'duplicate field "{path}"' for path in _repeated(given, "")]
    sentences += [f'unknown field "{path}"' for path in unknown]
    if sentences and validation == "Strict":
        raise _unhandled(obj, f"strict decoding error: {', '.join(sentences)}")
    return Body(object=pruned, warnings=sentences if validation != "Ignore" else [])


def _keep_emptied(given: Object, pruned: Object) -> None:
    for part, name in _EMPTIED:
        sent = given.get(part)
        if isinstance(sent, dict) and sent.get(name) == []:
            pruned.setdefault(part, {})[name] = []


def read_aside(data: bytes, content_type: str, api_version: str, kind: str) -> Object:
    """Return the body of a request that is no object of its path, such as DeleteOptions.

    An empty body is an object without fields. Raises ``StatusError`` 400 for a wrong type.
    """
    document = parse(data, content_type) if data else {}
    if not isinstance(document, dict):
        raise status.bad_request(f"the body of the request must be a {kind}")
    given: Object = document
    pruned, _ = _prune({**given, "apiVersion": api_version, "kind": kind})
    return pruned


def delete_options(data: bytes, content_type: str) -> Object:
    """Return the DeleteOptions of a body. Raises ``StatusError`` 400 for anything else."""
    document = parse(data, content_type)
    if isinstance(document, dict) and document.get("kind", "DeleteOptions") != "DeleteOptions":
        raise status.bad_request(f"DeleteOptions expected, not {document['kind']}")
    return read_aside(data, content_type, "meta.k8s.io/v1", "DeleteOptions")


def _pairs(pairs: list[tuple[str, Any]]) -> Object:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    names = [name for name, _ in pairs]
    marked = Repeated(plain)
    marked.keys_twice = tuple(dict.fromkeys(name for name in names if names.count(name) > 1))
    return marked


def _repeats(value: Any) -> bool:
    """Say whether any key stood more than once: seldom, so that nobody asks where before."""
    if isinstance(value, Repeated):
        return True
    rest: list[Any] = [value]
    for one in rest:
        for below in one.values() if isinstance(one, dict) else one:
            if isinstance(below, Repeated):
                return True
            if isinstance(below, _HOLDERS):
                rest.append(below)
    return False


def _repeated(value: Any, path: str) -> Iterator[str]:
    """Yield the places of the keys that stood more than once."""
    if isinstance(value, Repeated):
        yield from (f"{path}.{key}" if path else key for key in value.keys_twice)
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _repeated(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _repeated(one, f"{path}[{index}]")


def _prune(obj: Object) -> tuple[Object, list[str]]:
    message = shapes.message_of(obj["apiVersion"], obj["kind"])
    if message is None:
        return obj, []
    try:
        return structure.prune(obj, message)
    except Undecodable as error:
        raise _unhandled(obj, str(error)) from error


def _unhandled(obj: Object, why: str) -> Exception:
    version = obj["apiVersion"].rpartition("/")[2]
    return status.bad_request(
        f'{obj["kind"]} in version "{version}" cannot be handled as a {obj["kind"]}: {why}'
    )
