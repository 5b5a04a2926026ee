"""The claims that the scheduler knows, and what their allocations take of the devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from conformance.dra.allocation import DeviceKey, InUse
from conformance.kube.objects import Object
from conformance.reference.podclaims import results_of


class Ledger(Iterable[Object]):
    """Claims by key; what is in use is kept up with every change instead of being summed up."""

    def __init__(self) -> None:
        self._claims: dict[str, Object] = {}
        #: Whole devices with the number of their holders, and parts of devices by claim.
        self._whole: Counter[DeviceKey] = Counter()
        self._parts: dict[str, list[Object]] = {}
        self._in_use: InUse | None = None

    def __iter__(self) -> Iterator[Object]:
        return iter(self._claims.values())

    def find(self, key: str) -> Object | None:
        """Return the claim with that key (``namespace/name``), if there is one."""
        return self._claims.get(key)

    def put(self, key: str, claim: Object) -> None:
        """Know a claim, or its new state."""
        self.drop(key)
        self._claims[key] = claim
        self._count(key, claim, 1)

    def drop(self, key: str) -> None:
        """Know the claim no longer."""
        claim = self._claims.pop(key, None)
        if claim is not None:
            self._count(key, claim, -1)

    @property
    def in_use(self) -> InUse:
        """Return what the allocations of all claims take."""
        if self._in_use is None:
            parts = [result for results in self._parts.values() for result in results]
            self._in_use = InUse(devices=frozenset(self._whole), consumed=InUse.of(parts).consumed)
        return self._in_use

    def _count(self, key: str, claim: Object, holders: int) -> None:
        results = results_of(claim)
        if not results:
            return
        self._in_use = None
        for device in InUse.of(results).devices:
            self._whole[device] += holders
            if not self._whole[device]:
                del self._whole[device]
        self._parts.pop(key, None)
        parts = [result for result in results if result.get("shareID")]
        if parts and holders > 0:
            self._parts[key] = parts
