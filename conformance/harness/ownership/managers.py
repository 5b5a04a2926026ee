"""Field managers: one object, and what each manager writes to it."""

from __future__ import annotations

from typing import Any

import attrs

from conformance.harness.apply import resource_for
from conformance.harness.client import APPLY_PATCH, MERGE_PATCH, Api, path_of
from conformance.kube.objects import Object


@attrs.frozen
class Managers:
    """The managers of one object, which is there already."""

    api: Api
    obj: Object

    def apply(
        self, manager: str, body: Object, *, subresource: str = "", force: bool = False
    ) -> Object:
        """Apply these fields in a manager's name; raises ``StatusError``."""
        named = {"name": self.obj["metadata"]["name"], **body.get("metadata", {})}
        whole = {
            "apiVersion": self.obj["apiVersion"],
            "kind": self.obj["kind"],
            **body,
            "metadata": named,
        }
        query = {"fieldManager": manager, "force": "true" if force else ""}
        return self.api.ask(
            "PATCH", self._path(subresource), whole, query=query, content_type=APPLY_PATCH
        )

    def patch(self, manager: str, body: Object, *, subresource: str = "") -> Object:
        """Change these fields by a merge patch in a manager's name; raises ``StatusError``."""
        return self.api.ask(
            "PATCH",
            self._path(subresource),
            body,
            query={"fieldManager": manager},
            content_type=MERGE_PATCH,
        )

    def read(self) -> Object:
        """Return the object as it is now; raises ``StatusError``."""
        return self.api.ask("GET", self._path(""))

    def owned(self, manager: str) -> Any:
        """Return the fields that a manager owns now, as FieldsV1; of no fields nothing."""
        entries = self.read()["metadata"].get("managedFields") or []
        return next((row["fieldsV1"] for row in entries if row["manager"] == manager), None)

    def _path(self, subresource: str) -> str:
        meta = self.obj["metadata"]
        return path_of(resource_for(self.obj), meta.get("namespace"), meta["name"], subresource)
