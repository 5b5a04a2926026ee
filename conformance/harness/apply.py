"""Manifests become objects of one world: placeholders filled, labelled, remembered.

A manifest is ``fixtures/manifests/<area>/<topic>.yaml``, several documents, with ``${name}``
placeholders. A value that is not text is put in as JSON, which YAML contains, so a row of a
check can hand over a list of conditions. What was created is deleted in reverse order.
"""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from typing import Any

import attrs
import yaml

from conformance import data
from conformance.harness.client import Api
from conformance.harness.errors import HarnessError
from conformance.kube.objects import Object
from conformance.kube.resources import RESOURCES, Resource
from conformance.kube.status import StatusError

#: The label by which everything that a run created is found again.
RUN_LABEL = "dra-conformance/run"

#: The label of what a run creates for a driver that it starts: its vendor has named that.
LENT_LABEL = "dra-conformance/lent"

#: What every namespace and every cluster-scoped object of the suite is called.
PREFIX = "dra-conf-"

_BY_KIND: Mapping[tuple[str, str], Resource] = {
    (resource.api_version, resource.kind): resource for resource in RESOURCES
}


class ManifestError(HarnessError):
    """One of our own manifests is wrong."""


@attrs.frozen(kw_only=True)
class Created:
    """One object that we created, and how it is found again."""

    resource: Resource
    name: str
    namespace: str | None
    uid: str


def resource_for(obj: Object) -> Resource:
    """Return the resource of an object by its apiVersion and kind; raises ``ManifestError``."""
    key = (str(obj.get("apiVersion")), str(obj.get("kind")))
    if key not in _BY_KIND:
        raise ManifestError(f"no resource is known for {key[0]}, {key[1]}")
    return _BY_KIND[key]


def render(topic: str, values: Mapping[str, Any]) -> list[Object]:
    """Return the documents of a manifest with its placeholders filled.

    Raises ``ManifestError`` for a manifest that is not there, not YAML, or wants a value
    that was not given.
    """
    path = data.fixtures("manifests", *f"{topic}.yaml".split("/"))
    texts = {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in values.items()
    }
    try:
        text = string.Template(path.read_text("utf-8")).substitute(texts)
        documents = list(yaml.load_all(text, yaml.CSafeLoader))
    except KeyError as error:
        raise ManifestError(f"{topic}: no value was given for ${{{error.args[0]}}}") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ManifestError(f"{topic}: {' '.join(str(error).split())}") from error
    return [document for document in documents if document]


class Applied:
    """What one world created, in order."""

    def __init__(self, api: Api, *, run: str, namespace: str) -> None:
        self._api = api
        self._labels = {RUN_LABEL: run}
        self._namespace = namespace
        self.created: list[Created] = []

    def create(self, obj: Object) -> Object:
        """Create one object with the run's label and remember it; raises ``StatusError``."""
        resource = resource_for(obj)
        metadata: Object = obj.setdefault("metadata", {})
        metadata["labels"] = {**metadata.get("labels", {}), **self._labels}
        namespace = metadata.get("namespace", self._namespace) if resource.namespaced else None
        self._own(resource, metadata, namespace)
        answer = self._api.create(resource, obj, namespace)
        self.created.append(
            Created(
                resource=resource,
                name=answer["metadata"]["name"],
                namespace=namespace,
                uid=answer["metadata"]["uid"],
            )
        )
        return answer

    def delete_all(self) -> list[str]:
        """Ask for the deletion of everything, the newest first; return what went wrong."""
        troubles: list[str] = []
        for created in reversed(self.created):
            grace = 0 if created.resource.kind == "Pod" else None
            try:
                self._api.delete(created.resource, created.name, created.namespace, grace=grace)
            except StatusError as error:
                if error.code != 404:
                    troubles.append(f"{created.resource.kind} {created.name}: {error}")
            except HarnessError as error:
                return [*troubles, f"{created.resource.kind} {created.name}: {error}"]
        self.created.clear()
        return troubles

    def _own(self, resource: Resource, metadata: Object, namespace: str | None) -> None:
        """Refuse to create what ``clean`` could not find, or what is not ours to name."""
        name = str(metadata.get("name") or metadata.get("generateName"))
        scope = namespace if namespace is not None else name
        if not scope.startswith(PREFIX):
            raise ManifestError(f"{resource.kind} {name}: {scope} must start with {PREFIX}")
