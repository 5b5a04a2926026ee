"""Unpreparing the claims of a Pod that has ended: the last one calls the drivers."""

from __future__ import annotations

import attrs

from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.info import SKIP_UNPREPARE, ClaimInfo, ClaimNotUsable
from conformance.reference.kubelet.claims.preparing import check_complete
from conformance.reference.kubelet.registration.book import PluginBook
from conformance.reference.kubelet.registration.plugin import Plugin


def is_last_user(claim: ClaimInfo, pod_uid: str) -> bool:
    """Tell whether nobody but this Pod uses the claim any more."""
    return claim.pods == {pod_uid}


@attrs.define(slots=False)
class Unpreparer:
    """Undoes what ``Preparer`` did; safe to call again until it succeeds."""

    cache: ClaimCache
    book: PluginBook
    faults: Faults

    def __attrs_post_init__(self) -> None:
        """Offer the seams."""
        self._is_last_user = self.faults.wrap("kubelet.is_last_user", is_last_user)
        self._check_complete = self.faults.wrap("kubelet.check_unprepared", check_complete)
        self._call = self.faults.wrap("kubelet.call_unprepare", Plugin.unprepare)

    async def unprepare(self, pod_uid: str) -> None:
        """Release the Pod's claims; those without another user are unprepared.

        Raises ``ClaimNotUsable``, ``DriverUnavailableError`` or ``CallError``: then the claims
        stay prepared and the Pod must not count as terminated.
        """
        ending: list[ClaimInfo] = []
        for claim in self.cache.used_by(pod_uid):
            if self._is_last_user(claim, pod_uid):
                claim.unpreparing = True
                ending.append(claim)
            else:
                claim.pods.discard(pod_uid)
        for driver in sorted({driver for claim in ending for driver in claim.drivers}):
            await self._unprepare_with(driver, ending)
        for claim in ending:
            self.cache.remove(claim)
        self.cache.save()

    async def _unprepare_with(self, driver: str, ending: list[ClaimInfo]) -> None:
        mine = {
            claim.ref.uid: claim.ref
            for claim in ending
            if driver in claim.drivers and not claim.drivers[driver].skipped(SKIP_UNPREPARE)
        }
        if not mine:
            return
        answers = await self._call(self.book.get(driver), list(mine.values()))
        for uid, answer in answers.items():
            if uid in mine and answer.error:
                raise ClaimNotUsable(
                    "NodeUnprepareResources failed for ResourceClaim "
                    f"{mine[uid].name}: {answer.error}"
                )
        self._check_complete(mine.values(), answers, "NodeUnprepareResources")
