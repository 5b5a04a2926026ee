"""Claims that own claims, and their deletion with options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.claims import CLAIMS
from conformance.harness.client import path_of
from conformance.harness.errors import Violation
from conformance.harness.world import World
from conformance.kube.status import StatusError

#: What keeps a deleted claim until the check lets it go.
HELD = "conformance.test/held"


class Deletions:
    """What a check of this area says to the cluster, and what it sees."""

    def __init__(self, world: World) -> None:
        self.world = world

    def claim(self, name: str, *, held: bool = False, **metadata: Any) -> dict[str, Any]:
        """Create a claim; one that is held has a finalizer."""
        whole = {"name": name, "finalizers": [HELD] if held else [], **metadata}
        return self.world.apply("claim_controller/claim", metadata=whole).of("ResourceClaim")

    def owned(
        self, *owners: dict[str, Any], name: str = "owned", blocks: bool = True, held: bool = True
    ) -> dict[str, Any]:
        """Create a claim that these claims own."""
        references = [
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaim",
                "name": owner["metadata"]["name"],
                "uid": owner["metadata"]["uid"],
                "blockOwnerDeletion": blocks,
            }
            for owner in owners
        ]
        return self.claim(name, held=held, ownerReferences=references)

    def delete(self, name: str, **options: Any) -> None:
        """Delete a claim with options; raises ``StatusError``."""
        path = path_of(CLAIMS, self.world.namespace, name)
        body = {"apiVersion": "v1", "kind": "DeleteOptions", **options}
        self.world.api.ask("DELETE", path, body)

    def release(self, name: str) -> None:
        """Take the check's finalizer from a claim, if it is still there."""
        try:
            claim = self.world.claims.get(name)
            kept = [one for one in claim["metadata"].get("finalizers") or [] if one != HELD]
            body = {"metadata": {"finalizers": kept or None}}
            self.world.api.patch(CLAIMS, name, body, self.world.namespace)
        except StatusError as error:
            if error.code != 404:
                raise

    def gone(self, name: str) -> None:
        """Wait until a claim is gone."""
        self.world.until(f"claim {name} is gone", lambda: self._gone(name), bound="claim-collected")

    def deleting(self, name: str) -> dict[str, Any]:
        """Wait until a claim is being deleted, and return it."""

        def probe() -> dict[str, Any]:
            claim = self.read(name)
            expect.present(claim, "metadata.deletionTimestamp")
            return claim

        return self.world.until(f"claim {name} is being deleted", probe, bound="claim-collected")

    def unowned(self, name: str, *left: str) -> None:
        """Wait until a claim names only these owners, and is not being deleted."""

        def probe() -> dict[str, Any]:
            claim = self.read(name)
            references = claim["metadata"].get("ownerReferences") or []
            names = [reference["name"] for reference in references]
            expect.same(names, list(left), path="metadata.ownerReferences")
            expect.absent(claim, "metadata.deletionTimestamp")
            return claim

        self.world.until(f"claim {name} names no other owner", probe, bound="claim-collected")

    def read(self, name: str) -> dict[str, Any]:
        """Return a claim, which must be there."""
        with expect.accepted(f"the reading of claim {name}"):
            return self.world.claims.get(name)

    def stays(self, name: str) -> None:
        """Watch that a claim stays."""
        self.world.stays(f"claim {name} stays", lambda: self.read(name))

    def _gone(self, name: str) -> bool:
        try:
            claim = self.world.claims.get(name)
        except StatusError as error:
            if error.code == 404:
                return True
            raise
        raise Violation(f"claim {name} to be gone", path="metadata", observed=claim["metadata"])


@pytest.fixture
def deletions(world: World) -> Iterator[Deletions]:
    """Return the way to delete claims; what is held is let go in the end."""
    made = Deletions(world)
    yield made
    for name in ("owned", "owner", "claim"):
        made.release(name)
