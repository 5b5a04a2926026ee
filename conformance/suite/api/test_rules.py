"""Status, generations, finalizers and what may not change."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

_FINALIZER = "resource.kubernetes.io/delete-protection"
_ADD = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]

COUNTED = pytest.mark.parametrize(
    ("kind", "change"),
    [
        pytest.param(
            "class",
            {"op": "add", "path": "/spec/selectors/0/cel/expression", "value": "1 == 0"},
            id="DeviceClass",
        ),
        pytest.param(
            "slice",
            {"op": "add", "path": "/spec/devices/-", "value": {"name": "two"}},
            id="ResourceSlice",
        ),
    ],
    indirect=["kind"],
)


@pytest.mark.requirement("DRA-API-08a")
def test_a_write_of_the_status_keeps_the_rest(world: World, claims: Any) -> None:
    """Whoever reports a status cannot ask for other devices."""
    made = claims.create()
    sent = claims.document()
    sent["spec"]["devices"]["requests"][0]["exactly"]["count"] = 7
    sent["metadata"]["labels"] = {"other": "yes"}
    sent["status"] = {"allocation": {}}

    claims.api.ask("PUT", f"{claims.path(made)}/status", sent)

    now = claims.read(made)
    expect.field(now, "spec", made["spec"])
    expect.field(now, "metadata.labels", made["metadata"]["labels"])


@pytest.mark.requirement("DRA-API-08b")
def test_any_other_write_keeps_the_status(world: World, claims: Any) -> None:
    """Whoever labels a claim cannot allocate it, or take its allocation away."""
    made = claims.create()
    world.claims.write_status(made["metadata"]["name"], allocation={})
    seen = claims.read(made)
    sent = {key: value for key, value in seen.items() if key != "status"}
    sent["metadata"]["labels"]["updated"] = "yes"

    claims.api.ask("PUT", claims.path(made), sent)

    now = claims.read(made)
    expect.field(now, "metadata.labels.updated", "yes")
    expect.field(now, "status", seen["status"])


@pytest.mark.requirement("DRA-API-09")
def test_an_allocation_without_devices_is_one(world: World, claims: Any) -> None:
    """Nothing was needed, and that is decided."""
    made = claims.create()

    with expect.accepted("an empty allocation"):
        world.claims.write_status(made["metadata"]["name"], allocation={})

    found = expect.at(claims.read(made), "status.allocation")
    expect.that(isinstance(found, dict), "an allocation", path="status.allocation", observed=found)


@pytest.mark.requirement("DRA-API-23a")
@COUNTED
def test_a_generation_counts_changes_of_the_spec(kind: Any, change: Any) -> None:
    """It begins with one."""
    made = kind.create()

    kind.world.patch(made, [change])

    expect.field(made, "metadata.generation", 1)
    expect.field(kind.read(made), "metadata.generation", 2)


@pytest.mark.requirement("DRA-API-23b")
@COUNTED
def test_a_generation_does_not_count_labels(kind: Any, change: Any) -> None:
    """After a change of the spec it is two, and a label leaves it there."""
    made = kind.create()
    changed = kind.world.patch(made, [change])

    kind.world.patch(made, _ADD)

    now = kind.read(made)
    expect.field(now, "metadata.labels.patched", "yes")
    expect.field(now, "metadata.generation", changed["metadata"]["generation"])


@pytest.mark.requirement("DRA-API-24a")
def test_an_allocated_claim_is_protected(world: World, flow: Any) -> None:
    """The scheduler protects what it allocates."""
    flow.publish("device-1")
    flow.claim()

    flow.pod()

    claim = world.claims.allocated("claim")
    finalizers = claim["metadata"].get("finalizers")
    expect.same(finalizers, [_FINALIZER], path="metadata.finalizers")


@pytest.mark.requirement("DRA-API-24b")
def test_a_protected_claim_stays_until_it_is_free(world: World, claims: Any) -> None:
    """It says since when it goes; without its finalizer it does."""
    document = claims.document()
    document["metadata"]["finalizers"] = [_FINALIZER]
    document["metadata"]["finalizers"].append("d.example/mine")
    made = world.create(document)

    world.withdraw(made)
    with expect.accepted("reading a claim with a finalizer"):
        waiting = claims.read(made)
    world.patch(waiting, [{"op": "remove", "path": "/metadata/finalizers"}])

    expect.present(waiting, "metadata.deletionTimestamp")
    with expect.refused(expect.NOT_FOUND):
        claims.read(made)


@pytest.mark.requirement("DRA-API-25a")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(
            {"op": "replace", "path": "/spec/devices/requests/0/exactly/count", "value": 2},
            id="another count",
        ),
        pytest.param(
            {"op": "add", "path": "/spec/devices/requests/-", "value": "${request}"},
            id="another request",
        ),
    ],
)
def test_the_spec_of_a_claim_is_immutable(claims: Any, operation: dict[str, Any]) -> None:
    """What was asked for is what was allocated."""
    made = claims.create()
    another = {**made["spec"]["devices"]["requests"][0], "name": "two"}
    value = {"${request}": another}.get(str(operation["value"]), operation["value"])

    with expect.refused(422, "spec"):
        claims.world.patch(made, [{**operation, "value": value}])


@pytest.mark.requirement("DRA-API-25b")
@pytest.mark.parametrize("kind", [pytest.param("template", id="a template")], indirect=True)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("/spec/spec/devices/requests/0/exactly/count", 2, id="another count"),
        pytest.param("/spec/metadata/labels/app", "two", id="another label of the claims"),
    ],
)
def test_the_spec_of_a_template_is_immutable(kind: Any, path: str, value: Any) -> None:
    """Every claim that was made of it is alike."""
    made = kind.create()

    with expect.refused(422, "spec"):
        kind.world.patch(made, [{"op": "replace", "path": path, "value": value}])
