"""ResourceQuota: a write that would take more than the namespace may have is refused.

What is used is counted at every write, in the store itself, so that two writers cannot share
what is left; the controller tells the same number in the status of the quota.
"""

from __future__ import annotations

from collections import Counter

from conformance.dra import quota
from conformance.dra.quota import Holding
from conformance.kube import quantity
from conformance.kube.objects import Object
from conformance.reference.apiserver.admission.plugins.writes import CREATE, Write
from conformance.reference.faults.seams import Faults
from conformance.reference.store.memory import Store

_DRA = "resource.k8s.io"
_LIMITED = ("resourceclaims", "resourceclaimtemplates", "pods")


class Quotas:
    """The quotas of every namespace."""

    def __init__(self, store: Store, faults: Faults) -> None:
        self._store = store
        self._of_claim = faults.wrap("apiserver.usage_of_claim", Holding.of_claim)
        self._of_pod = faults.wrap("apiserver.usage_of_pod", quota.usage_of_pod)
        self._exceeds = faults.wrap("apiserver.exceeds", exceeds)

    def admit(self, write: Write) -> None:
        """Raise ``StatusError`` 403 for what is beyond a quota of its namespace."""
        plural = write.resource.plural
        if write.operation != CREATE or plural not in _LIMITED:
            return
        quotas = self._store.list("/resourcequotas", write.namespace)
        if not quotas:
            return
        holding = self._holding(write.namespace)
        if plural == "pods":
            requested = self._of_pod(write.object)
        elif plural == "resourceclaimtemplates":
            requested = Counter({quota.TEMPLATES: 1})
        else:
            requested = self._of_claim(holding, write.object)
        used = holding.used()
        for one in quotas:
            self._check(write, one, used, requested)

    def _check(
        self, write: Write, one: Object, used: Counter[str], requested: Counter[str]
    ) -> None:
        for limit, hard in (one["spec"].get("hard") or {}).items():
            wanted = requested.get(limit, 0)
            if wanted and self._exceeds(limit, used[limit], wanted, hard):
                raise write.forbidden(
                    f"exceeded quota: {one['metadata']['name']}, requested: {limit}={wanted}, "
                    f"used: {limit}={used[limit]}, limited: {limit}={hard}"
                )

    def _holding(self, namespace: str) -> Holding:
        return Holding(
            claims=self._store.list(f"{_DRA}/resourceclaims", namespace),
            pods=self._store.list("/pods", namespace),
            classes=self._store.list(f"{_DRA}/deviceclasses"),
            templates=self._store.list(f"{_DRA}/resourceclaimtemplates", namespace),
        )


def exceeds(limit: str, used: int, requested: int, hard: str) -> bool:
    """Say whether what is used and what is requested are more than is allowed together."""
    del limit
    return quantity.parse(hard) < quantity.parse(str(used + requested))
