"""Lists, watches, writes and discovery in old versions."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH
from conformance.harness.world import World

GROUP = "resource.k8s.io"

pytestmark = pytest.mark.variant(serves=[f"{GROUP}/v1beta1", f"{GROUP}/v1beta2"])

OLD = pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])

_LABEL = {"metadata": {"labels": {"patched": "yes"}}}
_LABELLING = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]


@pytest.mark.requirement("DRA-VER-05")
@OLD
def test_a_list_is_of_the_version_that_was_asked(world: World, versions: Any, version: str) -> None:
    """A claim that was written in v1 is listed as the old version spells it."""
    made = versions.write("claim", "v1")

    found = world.api.ask("GET", versions.path(made, version, collection=True))

    expect.field(found, "apiVersion", f"{GROUP}/{version}")
    expect.field(found, "kind", "ResourceClaimList")
    expect.field(found, "items[0].spec", versions.document("claim", version)["spec"])


@pytest.mark.requirement("DRA-VER-06")
@OLD
def test_a_watch_is_of_the_version_that_was_asked(
    world: World, versions: Any, version: str
) -> None:
    """What happens to a slice of v1 comes as the old version spells it."""
    first = versions.write("slice", "v1")
    start = first["metadata"]["resourceVersion"]
    world.patch(first, _LABELLING)
    world.withdraw(first)

    events = world.api.events(
        versions.path(first, version, collection=True),
        2,
        query={"resourceVersion": start, "fieldSelector": f"spec.driver={world.driver}"},
        seconds=world.options.bounds.reach("object-served"),
    )

    spec = versions.document("slice", version)["spec"]
    types = [one["type"] for one in events]
    expect.same(types, ["MODIFIED", "DELETED"], path="types of the events")
    expect.field(events[0]["object"], "apiVersion", f"{GROUP}/{version}")
    expect.field(events[0]["object"], "spec", spec)
    expect.field(events[1]["object"], "spec", spec)


@pytest.mark.requirement("DRA-VER-07a")
@OLD
@pytest.mark.parametrize(
    ("content_type", "patch"),
    [
        pytest.param(MERGE_PATCH, _LABEL, id="merge patch"),
        pytest.param(STRATEGIC_MERGE_PATCH, _LABEL, id="strategic merge patch"),
        pytest.param(JSON_PATCH, _LABELLING, id="JSON patch"),
    ],
)
def test_a_patch_in_an_old_version_keeps_the_rest(
    world: World, versions: Any, version: str, content_type: str, patch: Any
) -> None:
    """The slice was written in v1, and is the same there but for the label."""
    made = versions.write("slice", "v1")

    world.api.ask("PATCH", versions.path(made, version), patch, content_type=content_type)

    now = versions.read(made, "v1")
    expect.field(now, "metadata.labels.patched", "yes")
    expect.field(now, "spec", versions.document("slice", "v1")["spec"])


@pytest.mark.requirement("DRA-VER-07b")
@OLD
def test_what_is_read_and_written_in_an_old_version_keeps_the_rest(
    world: World, versions: Any, version: str
) -> None:
    """A client that knows the old version alone adds a device, as drivers do."""
    made = versions.write("slice", "v1")
    seen = versions.read(made, version)
    seen["spec"]["devices"].append({"name": "two"})

    world.api.ask("PUT", versions.path(made, version), seen)

    spec = versions.document("slice", "v1")["spec"]
    expected = {**spec, "devices": [*spec["devices"], {"name": "two"}]}
    expect.field(versions.read(made, "v1"), "spec", expected)


@pytest.mark.requirement("DRA-VER-08")
@OLD
def test_a_write_in_one_version_is_a_conflict_in_another(
    world: World, versions: Any, version: str
) -> None:
    """Who read before it in the old version must read again."""
    made = versions.write("slice", "v1")
    seen = versions.read(made, version)
    world.patch(made, _LABELLING)

    with expect.refused(409):
        world.api.ask("PUT", versions.path(made, version), seen)


@pytest.mark.requirement("DRA-VER-11")
@pytest.mark.parametrize(
    ("sent", "path"),
    [
        pytest.param("v1", "v1beta1", id="v1 to v1beta1"),
        pytest.param("v1beta1", "v1", id="v1beta1 to v1"),
    ],
)
def test_an_object_of_another_version_is_refused(
    world: World, versions: Any, sent: str, path: str
) -> None:
    """The path says which version is spoken."""
    claim = versions.document("claim", sent)

    with expect.refused(400):
        world.api.ask("POST", versions.path(claim, path, collection=True), claim)


@pytest.mark.requirement("DRA-VER-13")
@OLD
@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("spec.driver", "{0.driver}", id="by driver"),
        pytest.param("spec.nodeName", "{0.name}-node", id="by node"),
    ],
)
def test_slices_are_selected_in_an_old_version(
    world: World, versions: Any, version: str, field: str, value: str
) -> None:
    """Kubelet and drivers list their own slices, whichever version they speak."""
    made = versions.write("slice", "v1")
    path = versions.path(made, version, collection=True)
    wanted = value.format(world)

    found = world.api.ask("GET", path, query={"fieldSelector": f"{field}={wanted}"})
    others = world.api.ask("GET", path, query={"fieldSelector": f"{field}={wanted}-other"})

    names = [one["metadata"]["name"] for one in found["items"]]
    expect.same(names, [made["metadata"]["name"]], path="names of the selected slices")
    expect.same(others["items"], [], path="slices of another one")


@pytest.mark.requirement("DRA-VER-10")
@OLD
def test_a_deprecated_version_warns(world: World, versions: Any, version: str) -> None:
    """Reading in v1 says nothing, reading in the old version does."""
    made = versions.write("claim", "v1")

    _, old = world.api.warned("GET", versions.path(made, version))
    _, new = world.api.warned("GET", versions.path(made, "v1"))

    expect.that(old.startswith("299 "), "a warning with code 299", path="Warning", observed=old)
    expect.same(new, "", path="Warning of v1")
