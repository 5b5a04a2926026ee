"""The quota of a check's namespace."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from conformance.harness import expect
from conformance.harness.client import known
from conformance.harness.propose.proposals import Proposals
from conformance.harness.world import World

QUOTAS = known("", "v1", "resourcequotas")

_TEMPLATES = "count/resourceclaimtemplates.resource.k8s.io"


@attrs.frozen
class Limits:
    """What the namespace may hold, and what it holds."""

    world: World

    @property
    def devices(self) -> str:
        """The name under which devices of the world's class are counted."""
        return f"{self.world.device_class}.deviceclass.resource.k8s.io/devices"

    def set(self, hard: Mapping[str, str]) -> None:
        """Limit the namespace, and wait until the limits count.

        No status tells when an API server has noticed a quota: further templates of
        claims are barred as well, and once one is refused the other limits hold too.
        """
        self.world.apply("quota/quota", hard={**hard, _TEMPLATES: "0"})
        self.world.until(
            "the quota is counted", lambda: set(self._used()) >= set(hard), bound="object-served"
        )
        self.world.until("the quota is in force", self._templates_barred, bound="object-served")

    def counts(self, name: str, amount: str) -> None:
        """Wait until so much of one thing counts as used."""
        self.world.until(
            f"{name} counts as {amount}",
            lambda: expect.same(self._used().get(name), amount, path=f"status.used[{name}]"),
            bound="quota-counted",
        )

    def _templates_barred(self) -> bool:
        with expect.refused(403):
            Proposals(self.world).creation("workflow/template", {})
        return True

    def _used(self) -> dict[str, str]:
        quota = self.world.api.get(QUOTAS, "quota", self.world.namespace)
        return (quota.get("status") or {}).get("used") or {}


@pytest.fixture
def limits(world: World) -> Limits:
    """Return the limits of the world's namespace: none yet."""
    return Limits(world)
