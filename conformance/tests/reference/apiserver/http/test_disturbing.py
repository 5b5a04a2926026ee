"""Fields that are dropped from what one driver writes, in whichever way it writes."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.kube.objects import Object
from conformance.reference.client.api import APPLY_PATCH, JSON_PATCH, MERGE_PATCH
from conformance.reference.client.paths import path_of
from conformance.tests.reference.apiserver.rig import Rig, ask
from conformance.trust.trouble import Trouble

SLICE = path_of("resourceslices", name="slice")
WRITES = frozenset({"create", "update", "patch"})


def slice_of(driver: str, **device: Any) -> Object:
    """Return a slice of a driver with one device."""
    pool = {"name": "pool", "generation": 1, "resourceSliceCount": 1}
    devices = [{"name": "device", **device}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "slice"},
        "spec": {"driver": driver, "nodeName": "node", "pool": pool, "devices": devices},
    }


TAINT = {"key": "example.com/broken", "effect": "NoSchedule"}
SHARED = {"allowMultipleAllocations": True, "taints": [TAINT]}


def begin(rig: Rig) -> None:
    """Drop the taints of what the driver dra.example writes from now on."""
    trouble = Trouble(verbs=WRITES, dropped=frozenset({"taints"}))
    rig.server.disturbances.begin("dra.example", trouble)


def seen(written: Object) -> set[str]:
    """Return the fields of the device beside its name."""
    return set(written["spec"]["devices"][0]) - {"name"}


@pytest.mark.parametrize(
    ("media_type", "document"),
    [
        pytest.param(MERGE_PATCH, {"spec": slice_of("dra.example", **SHARED)["spec"]}, id="merge"),
        pytest.param(
            JSON_PATCH,
            [
                {"op": "add", "path": f"/spec/devices/0/{key}", "value": value}
                for key, value in SHARED.items()
            ],
            id="JSON",
        ),
        pytest.param(APPLY_PATCH, slice_of("dra.example", **SHARED), id="apply"),
    ],
)
def test_a_patch_meets_dropped_fields(media_type: str, document: Any) -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("resourceslices", slice_of("dra.example"))
        begin(rig)
        options = {"fieldManager": "driver", "force": "true"} if "apply" in media_type else {}

        written = await rig.client.request(
            "PATCH", SLICE, body=document, content_type=media_type, query=options
        )

        assert seen(written) == {"allowMultipleAllocations"}

    ask(question)


def test_a_slice_that_is_applied_first_meets_dropped_fields() -> None:
    async def question(rig: Rig) -> None:
        begin(rig)

        written = await rig.client.request(
            "PATCH",
            SLICE,
            body=slice_of("dra.example", **SHARED),
            content_type=APPLY_PATCH,
            query={"fieldManager": "driver"},
        )

        assert seen(written) == {"allowMultipleAllocations"}

    ask(question)


def test_a_patch_of_another_driver_meets_nothing() -> None:
    async def question(rig: Rig) -> None:
        await rig.client.create("resourceslices", slice_of("other.example"))
        begin(rig)
        document = {"spec": slice_of("other.example", **SHARED)["spec"]}

        written = await rig.client.request("PATCH", SLICE, body=document, content_type=MERGE_PATCH)

        assert seen(written) == set(SHARED)

    ask(question)
