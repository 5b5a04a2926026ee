"""What depends on a gate or on a namespace rather than on the object alone."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Faults
from conformance.tests.reference.apiserver.rig import Rig, ask

HEALTH = [
    {
        "name": "claim:gpu",
        "resources": [{"resourceID": "d/p/g", "health": "Unhealthy", "message": "hot"}],
    }
]


def status_with_health() -> Object:
    row: Object = {
        "name": "c",
        "image": "busybox:1",
        "imageID": "",
        "ready": False,
        "restartCount": 0,
        "allocatedResourcesStatus": HEALTH,
    }
    return {"status": {"phase": "Running", "containerStatuses": [row]}}


def claim(*, admin: bool) -> Object:
    exactly: Object = {"deviceClassName": "gpu.example.com"}
    if admin:
        exactly["adminAccess"] = True
    return {
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}},
    }


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        pytest.param({}, HEALTH, id="both on"),
        pytest.param(
            {"ResourceHealthStatusMessage": False},
            [{"name": "claim:gpu", "resources": [{"resourceID": "d/p/g", "health": "Unhealthy"}]}],
            id="no messages",
        ),
        pytest.param(
            {"ResourceHealthStatus": False, "ResourceHealthStatusMessage": False}, None, id="off"
        ),
    ],
)
def test_device_health_follows_its_gates(gates: dict[str, bool], expected: Any) -> None:
    async def question(rig: Rig) -> None:
        uses = {"name": "c", "image": "busybox:1", "resources": {"claims": [{"name": "gpu"}]}}
        claims = [{"name": "gpu", "resourceClaimName": "c"}]
        await rig.pod(nodeName="n", resourceClaims=claims, containers=[uses])

        written = await rig.client.patch(
            "pods", "p", status_with_health(), "default", subresource="status"
        )

        row = written["status"]["containerStatuses"][0]
        assert row.get("allocatedResourcesStatus") == expected
        assert row["restartCount"] == 0

    ask(question, gates=gates)


def test_admin_access_needs_a_labelled_namespace() -> None:
    async def question(rig: Rig) -> None:
        refused = await rig.refused(rig.client.create("resourceclaims", claim(admin=True)))
        label = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}
        await rig.client.patch("namespaces", "default", label)

        made = await rig.client.create("resourceclaims", claim(admin=True))

        assert refused.causes == [("spec.devices.requests[0].adminAccess", "FieldValueForbidden")]
        assert made["spec"]["devices"]["requests"][0]["exactly"]["adminAccess"] is True

    ask(question)


def test_admin_access_cannot_be_granted_by_a_status_alone() -> None:
    async def question(rig: Rig) -> None:
        made = await rig.client.create("resourceclaims", claim(admin=False))
        result = {
            "request": "r",
            "driver": "gpu.example.com",
            "pool": "n",
            "device": "g",
            "adminAccess": True,
        }
        made["status"] = {"allocation": {"devices": {"results": [result]}}}

        refused = await rig.refused(rig.client.update_status("resourceclaims", made))

        path = "status.allocation.devices.results[0].adminAccess"
        assert (path, "FieldValueForbidden") in refused.causes

    ask(question)


def test_a_claim_is_validated_and_its_spec_immutable() -> None:
    async def question(rig: Rig) -> None:
        wrong = claim(admin=False)
        wrong["spec"]["devices"]["requests"][0]["exactly"]["selectors"] = [
            {"cel": {"expression": "device.driver =="}}
        ]
        refused = await rig.refused(rig.client.create("resourceclaims", wrong))
        assert [path for path, _ in refused.causes] == [
            "spec.devices.requests[0].exactly.selectors[0].cel.expression"
        ]

        made = await rig.client.create("resourceclaims", claim(admin=False))
        made["spec"]["devices"]["requests"][0]["name"] = "other"
        refused = await rig.refused(rig.client.update("resourceclaims", made))
        assert refused.causes == [("spec", "FieldValueInvalid")]

    ask(question)


def test_a_saboteur_can_let_a_spec_change() -> None:
    faults = Faults({"apiserver.validate_update": [lambda _real, *_: []]})

    async def question(rig: Rig) -> None:
        made = await rig.client.create("resourceclaims", claim(admin=False))
        made["spec"]["devices"]["requests"][0]["name"] = "other"

        changed = await rig.client.update("resourceclaims", made)

        assert changed["spec"]["devices"]["requests"][0]["name"] == "other"

    ask(question, faults=faults)
