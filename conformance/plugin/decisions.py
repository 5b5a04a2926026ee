"""Whether a check runs: decided before its body, from its markers, never inside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import attrs
import pytest

from conformance.catalogue.model import Catalogue
from conformance.evidence.verdict import Outcome
from conformance.harness.errors import Unsupported
from conformance.harness.target import CAPABILITIES, Cluster, Variant
from conformance.harness.targets import ages


@attrs.frozen(kw_only=True)
class Demand:
    """What the markers of a check say."""

    requirements: tuple[str, ...]
    needs: tuple[str, ...]
    variant: Variant


@attrs.frozen(kw_only=True)
class Ruling:
    """Why a check does not run."""

    outcome: Outcome
    reason: str


def demand(item: pytest.Item) -> Demand:
    """Return what a check demands; the closest ``variant`` marker wins gate by gate.

    API versions that must be served add up.
    """
    gates: dict[str, bool] = {}
    timeout: float | None = None
    serves: list[str] = []
    for marker in reversed(list(item.iter_markers("variant"))):
        gates.update(marker.kwargs.get("gates", {}))
        timeout = marker.kwargs.get("binding_timeout", timeout)
        serves += marker.kwargs.get("serves", ())
    return Demand(
        requirements=_arguments(item, "requirement"),
        needs=_arguments(item, "needs"),
        variant=Variant.of(gates, timeout, serves),
    )


def selection(wanted: Demand, selected: Collection[str]) -> Ruling | None:
    """Rule out a check that judges nothing of what was selected."""
    if any(one in selected for one in wanted.requirements):
        return None
    return Ruling(outcome=Outcome.SKIPPED, reason="left out by --profile, --only or --skip")


def support(wanted: Demand, catalogue: Catalogue, cluster: Cluster) -> Ruling | None:
    """Rule out a check whose features or capabilities the target lacks."""
    lacks = [capability for capability in wanted.needs if capability not in cluster.capabilities]
    if lacks:
        texts = [CAPABILITIES.get(one, one) for one in lacks]
        return _unsupported(f"the target lacks {' and '.join(texts)}")
    asked_off = {gate for gate, value in wanted.variant.gates if not value}
    for one in wanted.requirements:
        reason = _missing(catalogue, one, cluster, asked_off)
        if reason:
            return _unsupported(reason)
    return None


def unsupported(error: Unsupported) -> Ruling:
    """Return the ruling for what a target itself cannot do."""
    return _unsupported(error.reason)


def _missing(
    catalogue: Catalogue, requirement_id: str, cluster: Cluster, asked_off: Collection[str]
) -> str:
    requirement = catalogue.requirement(requirement_id)
    if ages.is_older(cluster.version, requirement.since):
        return f"{requirement_id} holds since {requirement.since}, the target is {cluster.version}"
    if requirement.feature is None:
        return ""
    if catalogue.stage(requirement.feature, cluster.version).stage == "absent":
        return f"{requirement.feature} does not exist in {cluster.version}"
    off = _off(catalogue.feature(requirement.feature).gates, cluster.gates)
    return ", ".join(f"{gate} is off" for gate in off if gate not in asked_off)


def _off(gates: Collection[str], known: Mapping[str, bool]) -> list[str]:
    return [gate for gate in gates if known.get(gate) is False]


def _unsupported(reason: str) -> Ruling:
    return Ruling(outcome=Outcome.UNSUPPORTED, reason=reason)


def _arguments(item: pytest.Item, marker: str) -> tuple[str, ...]:
    found: list[Any] = [one for each in item.iter_markers(marker) for one in each.args]
    return tuple(dict.fromkeys(str(one) for one in found))
