"""Saboteurs of a driver's rights: what each of them does stands in ``driver_rights.yaml``."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.kube.status import StatusError
from conformance.reference.faults.seams import Saboteur


async def look_at_pods(
    real: Callable[[Any, Any], Awaitable[None]], client: Any, asked: Any
) -> None:
    """Be curious, and take no for an answer."""
    await real(client, asked)
    with contextlib.suppress(StatusError):
        await client.list("pods", asked.namespace)


def secrets_too(real: Callable[[], list[Object]]) -> list[Object]:
    """Grant what nobody asked for."""
    return [*real(), {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]


def new_slices_alone(real: Callable[[], Object]) -> Object:
    """Look at slices that are created, and not at those that are there."""
    return _about(real(), operations=["CREATE"])


def versions_of_yesterday(real: Callable[[], Object]) -> Object:
    """Name the one version of slices that was served when the policy was written."""
    return _about(real(), apiVersions=["v1beta1"])


def _about(policy: Object, **other: list[str]) -> Object:
    (rule,) = policy["matchConstraints"]["resourceRules"]
    return {**policy, "matchConstraints": {"resourceRules": [{**rule, **other}]}}


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-asks-for-what-it-may-not": look_at_pods,
    "driver-may-do-too-much": secrets_too,
    "driver-may-change-slices-of-other-nodes": new_slices_alone,
    "driver-policy-names-a-version-that-is-not-served": versions_of_yesterday,
}
