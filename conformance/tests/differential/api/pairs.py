"""Every write that both servers are asked."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import yaml

from conformance.kube.objects import Object
from conformance.tests.differential.api.mutations import mutations

_BASES = ("bases.yaml", "bases_features.yaml", "bases_versions.yaml")

#: The namespace in which claims may ask for admin access.
ADMIN = "admin"
_ADMIN_LABELS = {"resource.kubernetes.io/admin-access": "true"}
_NAMESPACED = frozenset({"resourceclaims", "resourceclaimtemplates"})


@attrs.frozen(kw_only=True)
class Write:
    """One write; ``id`` says in words what it changes."""

    id: str
    method: str
    path: str
    body: Object

    def digest(self) -> str:
        """Return what changes when the request does."""
        text = json.dumps([self.method, self.path, self.body], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


@attrs.frozen(kw_only=True)
class Base:
    """A valid object, and perhaps a valid status of it."""

    name: str
    resource: str
    version: str
    object: Object
    status: Object | None
    #: updates must name the version that they change
    conditional: bool = False
    #: where it lives, when it lives in a namespace
    namespace: str = "default"

    @property
    def collection(self) -> str:
        """The path of the objects of this kind."""
        place = f"/namespaces/{self.namespace}" if self.resource in _NAMESPACED else ""
        return f"/apis/resource.k8s.io/{self.version}{place}/{self.resource}"

    def named(self, suffix: str) -> Object:
        """Return the object under a name of its own."""
        obj = copy.deepcopy(self.object)
        obj["apiVersion"] = f"resource.k8s.io/{self.version}"
        obj["metadata"]["name"] = f"{self.name}-{suffix}"
        return obj

    def stored(self) -> Iterator[Write]:
        """Yield the writes that must be done before the others are asked."""
        for suffix in ("bare", "full") if self.status else ("bare",):
            yield Write(
                id=f"{self.name}: {suffix}",
                method="POST",
                path=self.collection,
                body=self.named(suffix),
            )
        if self.status:
            body = {**self.named("full"), "status": self.status}
            path = f"{self.collection}/{self.name}-full/status"
            yield Write(id=f"{self.name}: status", method="PUT", path=path, body=body)

    def asked(self) -> Iterator[Write]:
        """Yield every write that is compared; none of them is kept by a server."""
        for root in ("metadata", "spec"):
            for word, body in mutations(self.named("new"), (root,)):
                yield self._write("create", "POST", self.collection, word, body)
            for word, body in mutations(self.named("bare"), (root,)):
                yield self._write(
                    "update", "PUT", f"{self.collection}/{self.name}-bare", word, body
                )
        for suffix in ("bare", "full") if self.status else ():
            whole = {**self.named(suffix), "status": self.status}
            path = f"{self.collection}/{self.name}-{suffix}/status"
            for word, body in mutations(whole, ("status",)):
                yield self._write(f"status of {suffix}", "PUT", path, word, body)

    def _write(self, verb: str, method: str, path: str, word: str, body: Object) -> Write:
        return Write(
            id=f"{self.name}: {verb}: {word}", method=method, path=f"{path}?dryRun=All", body=body
        )


def namespace() -> Write:
    """Return the write that makes the namespace of ``ADMIN``."""
    meta = {"name": ADMIN, "labels": _ADMIN_LABELS}
    body: Object = {"kind": "Namespace", "apiVersion": "v1", "metadata": meta}
    return Write(id="namespace", method="POST", path="/api/v1/namespaces", body=body)


def bases(gates: str) -> list[Base]:
    """Return the objects that exist under ``gates``: ``default`` or ``alpha``."""
    rows: list[dict[str, Any]] = []
    for name in _BASES:
        rows += yaml.safe_load(Path(__file__).with_name(name).read_text())
    return [
        Base(
            name=row["name"],
            resource=row["resource"],
            version=row.get("version", "v1"),
            object=row["object"],
            status=row.get("status"),
            conditional=row.get("conditional", False),
            namespace=row.get("namespace", "default"),
        )
        for row in rows
        if row.get("gates", gates) == gates
    ]
