"""Every claim that this node knows, in memory and in the checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from conformance.kube.objects import Object, namespace_of
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.checkpoint import load, save
from conformance.reference.kubelet.claims.info import ClaimInfo
from conformance.reference.podclaims import (
    ClaimNotGenerated,
    claim_name,
    extended_claim,
    pod_claims,
)

Save = Callable[[Path, Iterable[ClaimInfo]], None]


class ClaimCache:
    """Claims by namespace and name."""

    def __init__(self, path: Path, faults: Faults) -> None:
        """Read the checkpoint; raises ``CheckpointError`` where it can't be trusted."""
        self._path = path
        self._save: Save = faults.wrap("kubelet.save_claims", save)
        self._claims = {
            (claim.ref.namespace, claim.ref.name): claim
            for claim in faults.wrap("kubelet.load_claims", load)(path)
        }

    def get(self, namespace: str, name: str) -> ClaimInfo | None:
        """Return a claim, if the node knows it."""
        return self._claims.get((namespace, name))

    def add(self, claim: ClaimInfo) -> None:
        """Remember a claim."""
        self._claims[claim.ref.namespace, claim.ref.name] = claim

    def remove(self, claim: ClaimInfo) -> None:
        """Forget a claim."""
        self._claims.pop((claim.ref.namespace, claim.ref.name), None)

    def save(self) -> None:
        """Write the checkpoint."""
        self._save(self._path, self._claims.values())

    def in_use(self) -> list[tuple[dict[str, str], float]]:
        """Return how many claims are prepared, by driver, and for ``<any>`` of them."""
        prepared = [claim for claim in self._claims.values() if claim.prepared]
        drivers = sorted({driver for claim in prepared for driver in claim.drivers})
        counts = [(name, sum(name in claim.drivers for claim in prepared)) for name in drivers]
        every = [*counts, ("<any>", len(prepared))]
        return [({"driver_name": name}, float(count)) for name, count in every]

    def used_by(self, pod_uid: str) -> list[ClaimInfo]:
        """Return the claims that a Pod refers to."""
        return [claim for claim in self._claims.values() if pod_uid in claim.pods]

    def pods_with(self, driver: str, devices: Iterable[tuple[str, str]]) -> set[str]:
        """Return the uids of the Pods that use any of these (pool, device) of a driver."""
        wanted = set(devices)
        return {
            uid
            for claim in self._claims.values()
            if driver in claim.drivers
            for device in claim.drivers[driver].devices
            if (device.pool, device.device) in wanted
            for uid in claim.pods
        }

    def pod_uids(self) -> set[str]:
        """Return the uids of every Pod that a claim is held for."""
        return {uid for claim in self._claims.values() for uid in claim.pods}

    def of_container(self, pod: Object, container: Object) -> list[tuple[str, str, ClaimInfo]]:
        """Return what a container asks for: the Pod's name for a claim, request, claim.

        The request is empty where the container wants the whole claim.
        """
        found: list[tuple[str, str, ClaimInfo]] = []
        by_name = {entry["name"]: entry for entry in pod_claims(pod)}
        for wish in container.get("resources", {}).get("claims") or []:
            claim = self._named(pod, by_name.get(wish["name"]))
            if claim is not None:
                found.append((wish["name"], wish.get("request", ""), claim))
        return found

    def extended_of(self, pod: Object, container: Object) -> list[tuple[str, ClaimInfo]]:
        """Return what serves a container's extended resources: request and claim of each."""
        said = extended_claim(pod)
        claim = self.get(namespace_of(pod), said["resourceClaimName"]) if said else None
        if claim is None:
            return []
        asked = (container.get("resources") or {}).get("requests") or {}
        return [
            (row["requestName"], claim)
            for row in said.get("requestMappings") or []
            if row["containerName"] == container["name"] and row["resourceName"] in asked
        ]

    def _named(self, pod: Object, entry: Object | None) -> ClaimInfo | None:
        if entry is None:
            return None
        try:
            name = claim_name(pod, entry)
        except ClaimNotGenerated:
            return None
        return self.get(namespace_of(pod), name) if name else None
