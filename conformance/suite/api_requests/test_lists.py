"""Lists and watches: which versions, which objects, which form."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect

_ADD = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]
_REMOVE = [{"op": "remove", "path": "/metadata/labels/patched"}]


def selecting(kind: Any) -> str:
    """Return a selector of the world's objects with the label."""
    return f"team={kind.world.name},patched=yes"


@pytest.mark.requirement("DRA-REQ-01")
def test_what_begins_to_match_is_added(kind: Any) -> None:
    """Whoever watches by labels has not seen the object before."""
    made = kind.create()
    kind.world.patch(made, _ADD)

    events = kind.events(1, made, labelSelector=selecting(kind))

    expect.same([one["type"] for one in events], ["ADDED"], path="types of the events")
    expect.field(events[0], "object.metadata.name", made["metadata"]["name"])


@pytest.mark.requirement("DRA-REQ-02")
def test_what_ceases_to_match_is_deleted(kind: Any) -> None:
    """Whoever watches by labels does not see it again."""
    made = kind.create()
    labelled = kind.world.patch(made, _ADD)
    kind.world.patch(made, _REMOVE)

    events = kind.events(1, labelled, labelSelector=selecting(kind))

    expect.same([one["type"] for one in events], ["DELETED"], path="types of the events")
    expect.field(events[0], "object.metadata.name", made["metadata"]["name"])


@pytest.mark.requirement("DRA-REQ-03")
def test_a_watch_of_a_node_tells_of_its_slices_alone(slices: Any) -> None:
    """So the kubelet learns of the slices of its node."""
    before = slices.create("before")
    slices.create("a")
    wanted = slices.create("b")

    node = wanted["spec"]["nodeName"]
    events = slices.events(1, before, fieldSelector=f"spec.nodeName={node}")

    names = [one["object"]["metadata"]["name"] for one in events]
    expect.same(names, [wanted["metadata"]["name"]], path="names in the events")


@pytest.mark.requirement("DRA-REQ-04")
def test_a_list_is_selected_by_name(kind: Any) -> None:
    """One of two has the name."""
    made = kind.create("a")
    kind.create("b")
    name = made["metadata"]["name"]

    expect.same(kind.list(fieldSelector=f"metadata.name={name}"), [name], path="names of the list")


@pytest.mark.requirement("DRA-REQ-05")
def test_a_watch_is_selected_by_name(kind: Any) -> None:
    """A client that waits for one object watches that one."""
    before = kind.create("before")
    kind.create("a")
    name = kind.create("b")["metadata"]["name"]

    events = kind.events(1, before, fieldSelector=f"metadata.name={name}")

    names = [one["object"]["metadata"]["name"] for one in events]
    expect.same(names, [name], path="names in the events")


@pytest.mark.requirement("DRA-REQ-06")
@pytest.mark.parametrize("kind", ["claim", "template"], indirect=True)
def test_a_list_reaches_all_namespaces(kind: Any) -> None:
    """Controllers and the scheduler list claims wherever they are."""
    name = kind.create()["metadata"]["name"]

    path = f"/apis/resource.k8s.io/v1/{kind.resource.plural}"
    found = kind.api.ask("GET", path, query={"labelSelector": f"team={kind.world.name}"})

    names = [one["metadata"]["name"] for one in found["items"]]
    expect.same(names, [name], path="names of the list")


@pytest.mark.requirement("DRA-REQ-07")
def test_later_chunks_show_the_state_of_the_first(kind: Any) -> None:
    """What is created between two chunks is in neither."""
    names = sorted(kind.create(one)["metadata"]["name"] for one in ("a", "b"))
    query = {"labelSelector": f"team={kind.world.name}", "limit": "1"}

    first = kind.api.ask("GET", kind.collection, query=query)
    kind.create("c")
    query = {"labelSelector": query["labelSelector"], "continue": first["metadata"]["continue"]}
    second = kind.api.ask("GET", kind.collection, query=query)

    found = [one["metadata"]["name"] for page in (first, second) for one in page["items"]]
    expect.same(found, names, path="names in the chunks")


@pytest.mark.requirement("DRA-REQ-08")
def test_a_list_of_an_exact_version_is_of_then(kind: Any) -> None:
    """What was created afterwards is not in it."""
    made = kind.create("a")
    kind.create("b")

    version = made["metadata"]["resourceVersion"]
    found = kind.list(resourceVersion=version, resourceVersionMatch="Exact")

    expect.same(found, [made["metadata"]["name"]], path="names of the list")


@pytest.mark.requirement("DRA-REQ-09")
def test_a_list_is_not_older_than_asked(kind: Any) -> None:
    """What was created last is in a list that is asked to know of it."""
    names = [kind.create(one)["metadata"] for one in ("a", "b")]

    version = names[-1]["resourceVersion"]
    found = kind.list(resourceVersion=version, resourceVersionMatch="NotOlderThan")

    expect.same(sorted(found), [one["name"] for one in names], path="names of the list")


@pytest.mark.requirement("DRA-REQ-10")
def test_a_list_is_had_as_metadata_alone(kind: Any) -> None:
    """The garbage collector wants to know owners, not specs."""
    name = kind.create()["metadata"]["name"]

    found = kind.api.metadata(kind.collection)

    expect.field(found, "kind", "PartialObjectMetadataList")
    one = next(one for one in found["items"] if one["metadata"]["name"] == name)
    expect.field(one, "kind", "PartialObjectMetadata")
    expect.field(one, "metadata.labels.team", kind.world.name)
    expect.unset(one, "spec")


@pytest.mark.requirement("DRA-REQ-11")
def test_a_token_of_nobody_is_refused(kind: Any) -> None:
    """A list that begins anew would not be the one that was begun."""
    with expect.refused(400):
        kind.list(**{"continue": "surprise"})


@pytest.mark.requirement("DRA-REQ-12")
def test_a_version_that_is_none_is_refused(kind: Any) -> None:
    """Versions are numbers to the server, whatever they are to clients."""
    with expect.refused(400):
        kind.list(resourceVersion="surprise")


@pytest.mark.requirement("DRA-REQ-13")
def test_a_match_without_a_version_is_refused(kind: Any) -> None:
    """There is nothing to match."""
    with expect.refused(422, "resourceVersionMatch"):
        kind.list(resourceVersionMatch="NotOlderThan")


@pytest.mark.requirement("DRA-REQ-14")
def test_initial_events_without_a_match_are_refused(kind: Any) -> None:
    """How old the state may be must be said."""
    made = kind.create()

    with expect.refused(422, "resourceVersionMatch"):
        kind.events(1, made, sendInitialEvents="true")


@pytest.mark.requirement("DRA-REQ-15")
def test_a_token_with_a_version_is_refused(kind: Any) -> None:
    """The token tells the version already."""
    made = [kind.create(one) for one in ("a", "b")]
    team = {"labelSelector": f"team={kind.world.name}"}
    first = kind.api.ask("GET", kind.collection, query={**team, "limit": "1"})
    token = first["metadata"]["continue"]

    with expect.refused(400):
        kind.list(resourceVersion=made[0]["metadata"]["resourceVersion"], **{"continue": token})
