"""Lists, watches, chunks, selectors and tables, for every kind."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

_ADD = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]
_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


@pytest.mark.requirement("DRA-API-02")
def test_a_list_holds_what_was_created(kind: Any) -> None:
    """Whatever order it has."""
    names = {kind.create(one)["metadata"]["name"] for one in ("a", "b", "c")}

    expect.same(set(kind.list()), names, path="names of the list")


@pytest.mark.requirement("DRA-API-03")
def test_a_watch_tells_the_life_of_an_object(kind: Any) -> None:
    """It is created, changed and deleted."""
    before = kind.create("before")
    made = kind.create("a")
    kind.world.patch(made, _ADD)
    kind.world.withdraw(made)

    events = kind.events(3, before)

    types = [one["type"] for one in events]
    expect.same(types, ["ADDED", "MODIFIED", "DELETED"], path="types of the events")
    names = {one["object"]["metadata"]["name"] for one in events}
    expect.same(names, {made["metadata"]["name"]}, path="names in the events")
    expect.field(events[1]["object"], "metadata.labels.patched", "yes")


@pytest.mark.requirement("DRA-API-14")
def test_a_watch_begins_after_its_resource_version(kind: Any) -> None:
    """Neither the object at that version nor anything before it is told again."""
    kind.create("a")
    second = kind.create("b")
    later = [kind.create(one)["metadata"]["name"] for one in ("c", "d")]

    events = kind.events(2, second)

    names = [one["object"]["metadata"]["name"] for one in events]
    expect.same(names, later, path="names in the events")


@pytest.mark.requirement("DRA-API-16")
def test_initial_events_end_with_a_bookmark(kind: Any) -> None:
    """A watcher knows from then on that it has seen everything."""
    made = kind.create()

    events = kind.events(
        2,
        {"metadata": {"resourceVersion": ""}},
        sendInitialEvents="true",
        allowWatchBookmarks="true",
        resourceVersionMatch="NotOlderThan",
    )

    expect.same([one["type"] for one in events], ["ADDED", "BOOKMARK"], path="types of the events")
    expect.field(events, "[0].object.metadata.name", made["metadata"]["name"])
    ending = "[1].object.metadata.annotations[k8s.io/initial-events-end]"
    expect.field(events, ending, "true")


@pytest.mark.requirement("DRA-API-17")
def test_chunks_hold_each_object_once(kind: Any) -> None:
    """Three objects in chunks of two."""
    names = sorted(kind.create(one)["metadata"]["name"] for one in ("a", "b", "c"))
    query = {"labelSelector": f"team={kind.world.name}", "limit": "2"}

    first = kind.api.ask("GET", kind.collection, query=query)
    token = first["metadata"].get("continue", "")
    second = kind.api.ask("GET", kind.collection, query={**query, "continue": token})

    chunks = [[one["metadata"]["name"] for one in page["items"]] for page in (first, second)]
    expect.same([len(one) for one in chunks], [2, 1], path="sizes of the chunks")
    expect.same(sorted([*chunks[0], *chunks[1]]), names, path="names in the chunks")
    expect.absent(second, "metadata.continue")


@pytest.mark.requirement("DRA-API-18a")
@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        pytest.param("spec.driver={0.driver}", ["a", "b"], id="by driver"),
        pytest.param("spec.nodeName={0.name}-b-node", ["b"], id="by node"),
        pytest.param("spec.driver={0.driver},spec.nodeName={0.name}-a-node", ["a"], id="by both"),
        pytest.param("spec.driver={0.driver}-other", [], id="by another driver"),
    ],
)
def test_slices_are_selected_by_their_fields(slices: Any, selector: str, wanted: list[str]) -> None:
    """A kubelet reads the slices of its node, and a driver its own."""
    names = {one: slices.create(one)["metadata"]["name"] for one in ("a", "b")}

    found = slices.list(fieldSelector=selector.format(slices.world))

    expect.same(sorted(found), [names[one] for one in wanted], path="names of the list")


@pytest.mark.requirement("DRA-API-18b")
def test_a_field_that_cannot_be_selected_is_refused(kind: Any) -> None:
    """Selecting nothing would hide that nobody looked."""
    with expect.refused(400):
        kind.list(fieldSelector="spec.surprise=x")


@pytest.mark.requirement("DRA-API-19")
def test_a_list_is_selected_by_labels(kind: Any) -> None:
    """One of two has the label."""
    labelled, other = kind.create("a"), kind.create("b")
    kind.world.patch(labelled, _ADD)
    team = f"team={kind.world.name}"

    found = kind.list(labelSelector=f"{team},patched=yes")
    rest = kind.list(labelSelector=f"{team},!patched")

    expect.same(found, [labelled["metadata"]["name"]], path="names with the label")
    expect.same(rest, [other["metadata"]["name"]], path="names without the label")


@pytest.mark.requirement("DRA-API-22")
def test_a_list_is_had_as_a_table(kind: Any) -> None:
    """The first column is the name, as kubectl get prints it."""
    made = kind.create()

    table = kind.api.table(kind.collection)

    expect.field(table, "kind", "Table")
    expect.field(table, "columnDefinitions[0].name", "Name")
    names = [row["cells"][0] for row in table["rows"]]
    name = made["metadata"]["name"]
    expect.that(name in names, f"a row for {name}", path="rows", observed=names)


@pytest.mark.requirement("DRA-API-10")
def test_discovery_lists_the_verbs(kind: Any) -> None:
    """What a client may ask is known before it asks."""
    served = kind.api.ask("GET", "/apis/resource.k8s.io/v1")

    verbs = {row["name"]: sorted(row["verbs"]) for row in served["resources"]}
    expect.same(verbs.get(kind.resource.plural), _VERBS, path="verbs")
