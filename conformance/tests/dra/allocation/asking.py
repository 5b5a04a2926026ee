"""How the tests ask for an allocation, and read it."""

from __future__ import annotations

from typing import Any

from conformance.dra.allocation import allocate
from conformance.dra.features import Features
from conformance.tests.dra.objects import DRIVER, claim, device, device_class, node

HERE = {
    "nodeSelectorTerms": [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}
    ]
}


def allocate_on(
    *claims: dict[str, Any],
    slices: list[dict[str, Any]],
    classes: list[dict[str, Any]] | None = None,
    on: dict[str, Any] | None = None,
    allocated: tuple[str, ...] = (),
    features: Features | None = None,
) -> list[dict[str, Any]] | None:
    known = [device_class()] if classes is None else classes
    return allocate(
        claims or (claim(),),
        slices=slices,
        classes={one["metadata"]["name"]: one for one in known},
        node=on or node(),
        allocated=frozenset((DRIVER, "pool-a", name) for name in allocated),
        features=features or Features(),
    )


def names(found: list[dict[str, Any]] | None) -> list[list[str]]:
    assert found is not None
    return [[one["device"] for one in each["devices"]["results"]] for each in found]


def devices(*names: str, **fields: Any) -> list[dict[str, Any]]:
    return [device(name, **fields) for name in names]


def first_available(*subs: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "any",
        "firstAvailable": [
            {
                "name": f"s{index}",
                "deviceClassName": "gpu",
                "allocationMode": "ExactCount",
                "count": 1,
                **sub,
            }
            for index, sub in enumerate(subs)
        ],
    }
