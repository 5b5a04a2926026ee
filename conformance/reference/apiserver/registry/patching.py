"""Patch: apply the document to the present object, then update as usual.

Server-side apply is a patch of its own kind: see ``owning``.
"""

from __future__ import annotations

from typing import Any

from conformance.kube import fields, patch, status
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
APPLY_YAML = "application/apply-patch+yaml"

#: Media types of PATCH, in the order in which a real API server names them.
PATCH_TYPES = (JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_YAML)


def undecodable(why: str) -> StatusError:
    """Return 422: what the patch makes of the object is no object of its kind."""
    return status.invalid("", "", "", [fields.invalid("patch", why, "")])


def apply(content_type: str, current: Object, document: Any) -> Object:
    """Return the object that the patch makes of ``current``.

    Raises ``StatusError``: 400 for a document of the wrong shape, 422 for a JSON patch that
    does not apply.
    """
    is_list = content_type == JSON_PATCH
    if isinstance(document, list) != is_list:
        raise status.bad_request("error decoding patch: the document has the wrong shape")
    try:
        patched = _patched(content_type, current, document)
    except patch.DirectiveError as error:
        raise status.unknown(str(error)) from error
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        raise StatusError(
            code=422,
            reason="Invalid",
            message=f"the server rejected our request due to an error in our request: {error}",
        ) from error
    if not isinstance(patched, dict):
        raise status.bad_request("the patched object is no JSON object")
    return patched


def _patched(content_type: str, current: Object, document: Any) -> Any:
    if content_type == JSON_PATCH:
        return patch.json_patch(current, document)
    if content_type == MERGE_PATCH:
        return patch.merge_patch(current, document)
    return patch.strategic_merge(current, document)
