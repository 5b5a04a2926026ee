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


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-asks-for-what-it-may-not": look_at_pods,
    "driver-may-do-too-much": secrets_too,
}
