"""The verbs of the Kubernetes API, asynchronous, over plain JSON objects."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.reference.client.paths import path_of, resolve
from conformance.reference.client.transport import Transport, Unreachable, WatchEvent

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"


class ApiClient(Transport):
    """One user's view of one API server.

    ``resource`` is a ``Resource`` or its plural (``"pods"``). Every method raises
    ``kube.status.StatusError`` for an answer that is an error and ``Unreachable`` when there
    was none.
    """

    async def get(
        self, resource: Resource | str, name: str, namespace: str | None = None
    ) -> Object:
        """Return one object."""
        return await self.request("GET", path_of(resource, namespace, name))

    async def list(
        self,
        resource: Resource | str,
        namespace: str | None = None,
        label_selector: str | None = None,
        field_selector: str | None = None,
    ) -> tuple[list[Object], str]:
        """Return the objects (with apiVersion and kind set) and the list's resourceVersion."""
        query = _selectors(label_selector, field_selector)
        answer = await self.request("GET", path_of(resource, namespace), query=query)
        row = resolve(resource)
        header = {"apiVersion": row.api_version, "kind": row.kind}
        items = [{**header, **item} for item in answer["items"]]
        return items, answer["metadata"]["resourceVersion"]

    async def create(
        self,
        resource: Resource | str,
        obj: Object,
        namespace: str | None = None,
        subresource: str = "",
        name: str | None = None,
    ) -> Object:
        """Create an object in ``namespace``, by default the one that its metadata names."""
        where = namespace or obj.get("metadata", {}).get("namespace")
        return await self.request("POST", path_of(resource, where, name, subresource), body=obj)

    async def update(self, resource: Resource | str, obj: Object, subresource: str = "") -> Object:
        """Replace an object; its resourceVersion, when set, must be the current one."""
        meta = obj["metadata"]
        path = path_of(resource, meta.get("namespace"), meta["name"], subresource)
        return await self.request("PUT", path, body=obj)

    async def update_status(self, resource: Resource | str, obj: Object) -> Object:
        """Replace the status of an object."""
        return await self.update(resource, obj, "status")

    async def patch(
        self,
        resource: Resource | str,
        name: str,
        body: Any,
        namespace: str | None = None,
        *,
        content_type: str = MERGE_PATCH,
        subresource: str = "",
    ) -> Object:
        """Patch an object; the default is a JSON merge patch."""
        path = path_of(resource, namespace, name, subresource)
        query = {"fieldManager": "conformance"} if content_type == APPLY_PATCH else None
        return await self.request("PATCH", path, body=body, content_type=content_type, query=query)

    async def delete(
        self,
        resource: Resource | str,
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        grace_period_seconds: int | None = None,
    ) -> Object:
        """Delete an object, if uid and resourceVersion are still the given ones."""
        options: Object = {"apiVersion": "v1", "kind": "DeleteOptions"}
        if grace_period_seconds is not None:
            options["gracePeriodSeconds"] = grace_period_seconds
        preconditions = {"uid": uid, "resourceVersion": resource_version}
        if any(preconditions.values()):
            options["preconditions"] = {k: v for k, v in preconditions.items() if v}
        return await self.request("DELETE", path_of(resource, namespace, name), body=options)

    async def delete_collection(
        self, resource: Resource | str, fields: Mapping[str, str], namespace: str | None = None
    ) -> None:
        """Delete the objects whose fields have these values."""
        selector = ",".join(f"{path}={value}" for path, value in fields.items())
        query = {"fieldSelector": selector}
        await self.request("DELETE", path_of(resource, namespace), query=query)

    async def bind(self, pod: Object, node: str) -> Object:
        """Bind a Pod to a node through ``pods/binding``."""
        meta = pod["metadata"]
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {
                "name": meta["name"],
                "namespace": meta["namespace"],
                "uid": meta.get("uid", ""),
            },
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        path = path_of("pods", meta["namespace"], meta["name"], "binding")
        return await self.request("POST", path, body=binding)

    async def log(self, name: str, namespace: str, container: str | None = None) -> str:
        """Return what a container has printed so far."""
        query = {"container": container} if container else None
        path = path_of("pods", namespace, name, "log")
        code, text = await self.text("GET", path, query=query)
        if code != 200:
            # A refused log is a Status like any other: let the common reader raise it.
            await self.request("GET", path, query=query)
        return text

    def watch_resource(
        self,
        resource: Resource | str,
        namespace: str | None = None,
        *,
        resource_version: str = "",
        label_selector: str | None = None,
        field_selector: str | None = None,
    ) -> AsyncIterator[WatchEvent]:
        """Yield what happens after ``resource_version``, bookmarks included."""
        query = _selectors(label_selector, field_selector)
        query["allowWatchBookmarks"] = "true"
        if resource_version:
            query["resourceVersion"] = resource_version
        return self.watch(path_of(resource, namespace), query)


def _selectors(label_selector: str | None, field_selector: str | None) -> dict[str, str]:
    given = {"labelSelector": label_selector, "fieldSelector": field_selector}
    return {name: value for name, value in given.items() if value}


__all__ = [
    "APPLY_PATCH",
    "JSON_PATCH",
    "MERGE_PATCH",
    "STRATEGIC_MERGE_PATCH",
    "ApiClient",
    "Unreachable",
    "WatchEvent",
]
