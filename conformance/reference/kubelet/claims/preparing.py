"""Preparing the claims of a Pod: first every condition, then the drivers, then the record."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.kube.status import StatusError
from conformance.reference.client.api import ApiClient
from conformance.reference.faults.seams import Faults
from conformance.reference.kubelet.claims.cache import ClaimCache
from conformance.reference.kubelet.claims.info import (
    SKIP_PREPARE,
    ClaimInfo,
    ClaimNotUsable,
    info_of,
    prepared_devices,
)
from conformance.reference.kubelet.registration.book import PluginBook
from conformance.reference.kubelet.registration.plugin import ClaimRef, Plugin
from conformance.reference.podclaims import (
    ClaimNotGenerated,
    claim_name,
    extended_claim,
    from_template,
    is_for_pod,
    is_reserved_for,
    pod_claims,
    without_group,
)


def check_owner(pod: Object, claim: Object) -> None:
    """Raise ``ClaimNotUsable`` for a generated claim that was made for another Pod."""
    if not is_for_pod(pod, claim):
        raise ClaimNotUsable(
            f"ResourceClaim {name_of(claim)} was not created for pod {name_of(pod)} "
            f"({uid_of(pod)}) (pod is not owner)"
        )


def check_reserved(pod: Object, claim: Object) -> None:
    """Raise ``ClaimNotUsable`` for a claim that is not reserved for this Pod."""
    if not is_reserved_for(pod, claim):
        raise ClaimNotUsable(
            f"pod {name_of(pod)} ({uid_of(pod)}) is not allowed to use "
            f"ResourceClaim {name_of(claim)} ({uid_of(claim)})"
        )


def check_same(known: ClaimInfo, wanted: ClaimInfo) -> None:
    """Raise ``ClaimNotUsable`` where the node still holds another claim of that name."""
    if known.ref.uid != wanted.ref.uid:
        raise ClaimNotUsable(
            f"old ResourceClaim with same name {known.ref.name} and different UID "
            f"{known.ref.uid} still exists (previous pod force-deleted?!)"
        )
    if known.unpreparing:
        raise ClaimNotUsable(f"ResourceClaim {known.ref.name} is being unprepared")


def check_complete(asked: Iterable[ClaimRef], answered: Iterable[str], method: str) -> None:
    """Raise ``ClaimNotUsable`` unless each claim asked for, and no other, has an answer."""
    uids = {claim.uid for claim in asked}
    given = set(answered)
    for unknown in sorted(given - uids):
        raise ClaimNotUsable(f"{method} returned result for unknown claim UID {unknown}")
    if uids - given:
        raise ClaimNotUsable(f"{method} skipped {len(uids - given)} ResourceClaims")


def claim_entries(pod: Object) -> list[Object]:
    """Return ``spec.resourceClaims``, and an entry more where extended resources have a claim."""
    said = extended_claim(pod)
    more = [{"resourceClaimName": said["resourceClaimName"]}] if said else []
    return [*pod_claims(pod), *more]


@attrs.define(slots=False)
class Preparer:
    """Prepares claims; the state between attempts is in the cache."""

    client: ApiClient
    cache: ClaimCache
    book: PluginBook
    faults: Faults
    optional_operations: bool
    #: Whether claims of PodGroups count (DRAWorkloadResourceClaims).
    heeds_groups: bool

    def __attrs_post_init__(self) -> None:
        """Offer the seams."""
        self._check_owner = self.faults.wrap("kubelet.check_owner", check_owner)
        self._check_reserved = self.faults.wrap("kubelet.check_reserved", check_reserved)
        self._check_same = self.faults.wrap("kubelet.check_same_claim", check_same)
        self._check_complete = self.faults.wrap("kubelet.check_prepared", check_complete)
        self._info_of = self.faults.wrap("kubelet.claim_info", info_of)
        self._fetch = self.faults.wrap("kubelet.fetch_claim", self._fetch_claim)
        self._entries = self.faults.wrap("kubelet.claim_entries", claim_entries)
        self._devices = self.faults.wrap("kubelet.prepared_devices", prepared_devices)
        self._call = self.faults.wrap("kubelet.call_prepare", Plugin.prepare)

    async def prepare(self, pod: Object) -> None:
        """Prepare every claim of the Pod that is not prepared yet.

        Raises ``ClaimNotUsable``, ``ClaimNotGenerated``, ``DriverUnavailableError`` or
        ``CallError``, whose message says what the Pod waits for.
        """
        entries = self._entries(pod)
        wanted = [await self._usable(pod, entry) for entry in entries]
        infos = [info for info in wanted if info is not None]
        plugins = self._plugins_for(infos)
        entered = [self._enter(info, uid_of(pod)) for info in infos]
        pending = [info for info in entered if not info.prepared]
        self.cache.save()
        for driver, plugin in plugins.items():
            await self._prepare_with(driver, plugin, pending)
        for info in pending:
            info.prepared = True
        self.cache.save()

    async def _usable(self, pod: Object, entry: Object) -> ClaimInfo | None:
        name = claim_name(pod, entry)
        if name is None:
            return None
        claim = await self._fetch(namespace_of(pod), name)
        if not self.heeds_groups:
            pod = without_group(pod)
        if from_template(entry):
            self._check_owner(pod, claim)
        self._check_reserved(pod, claim)
        return self._info_of(claim, optional_operations=self.optional_operations)

    async def _fetch_claim(self, namespace: str, name: str) -> Object:
        try:
            return await self.client.get("resourceclaims", name, namespace)
        except StatusError as error:
            raise ClaimNotUsable(f"fetch ResourceClaim {name}: {error}") from error

    def _plugins_for(self, infos: list[ClaimInfo]) -> dict[str, Plugin]:
        # Before anything is recorded: a Pod that can't start must be deletable without a
        # driver that may never come. A claim that is prepared already asks for its driver too:
        # something is wrong with a node where it is gone.
        drivers = {
            driver
            for info in infos
            for driver, state in info.drivers.items()
            if not state.skipped(SKIP_PREPARE)
        }
        return {driver: self.book.get(driver) for driver in sorted(drivers)}

    def _enter(self, info: ClaimInfo, pod_uid: str) -> ClaimInfo:
        known = self.cache.get(info.ref.namespace, info.ref.name)
        if known is None:
            self.cache.add(info)
            known = info
        self._check_same(known, info)
        known.pods.add(pod_uid)
        return known

    async def _prepare_with(self, driver: str, plugin: Plugin, pending: list[ClaimInfo]) -> None:
        mine = {
            info.ref.uid: info
            for info in pending
            if driver in info.drivers and not info.drivers[driver].skipped(SKIP_PREPARE)
        }
        refs = [info.ref for info in mine.values()]
        if not refs:
            return
        answers = await self._call(plugin, refs)
        for uid, answer in answers.items():
            if uid in mine and answer.error:
                name = mine[uid].ref.name
                raise ClaimNotUsable(
                    f"NodePrepareResources failed for ResourceClaim {name}: {answer.error}"
                )
            if uid in mine:
                mine[uid].drivers[driver].devices = self._devices(answer)
        self._check_complete(refs, answers, "NodePrepareResources")


__all__ = ["ClaimNotGenerated", "ClaimNotUsable", "Preparer", "check_complete"]
