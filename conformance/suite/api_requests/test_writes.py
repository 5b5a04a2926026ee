"""Writes: names, dry runs, what the server keeps, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import APPLY_PATCH, JSON_PATCH, MERGE_PATCH

_DRY = {"dryRun": "All"}
_ADD = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]
_ALLOCATED = {"status": {"allocation": {"devices": {}}}}


@pytest.mark.requirement("DRA-REQ-16")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Not-A-Name", id="capitals"),
        pytest.param("not_a_name", id="underscores"),
        pytest.param("a" * 254, id="a letter too many"),
    ],
)
def test_a_name_that_is_none_is_refused(kind: Any, name: str) -> None:
    """Names are DNS subdomains."""
    document = kind.document()
    document["metadata"]["name"] = name

    with expect.refused(422, "metadata.name"):
        kind.api.ask("POST", kind.collection, document, query=_DRY)


@pytest.mark.requirement("DRA-REQ-17")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("not a key", "yes", id="a key that is none"),
        pytest.param("key", "not a value", id="a value that is none"),
    ],
)
def test_a_label_that_is_none_is_refused(kind: Any, key: str, value: str) -> None:
    """No selector could name it."""
    document = kind.document()
    document["metadata"]["labels"][key] = value

    with expect.refused(422, "metadata.labels"):
        kind.api.ask("POST", kind.collection, document, query=_DRY)


@pytest.mark.requirement("DRA-REQ-18")
def test_a_new_claim_has_no_status(claims: Any) -> None:
    """Nobody allocates by asking."""
    document = {**claims.document(), **_ALLOCATED}

    made = claims.world.create(document)

    expect.absent(claims.read(made), "status")


@pytest.mark.requirement("DRA-REQ-19")
def test_a_write_of_the_status_keeps_the_metadata(claims: Any) -> None:
    """Whoever reports a status lets nobody else's claim go."""
    made = claims.create()
    sent = {**claims.read(made), **_ALLOCATED}
    sent["metadata"] = {
        **sent["metadata"],
        "annotations": {"d.example/note": "another"},
        "finalizers": ["d.example/mine"],
    }

    claims.api.ask("PUT", f"{claims.path(made)}/status", sent)

    now = claims.read(made)
    expect.field(now, "metadata.annotations[d.example/note]", "kept")
    expect.absent(now, "metadata.finalizers")


@pytest.mark.requirement("DRA-REQ-20")
def test_a_dry_run_updates_nothing(kind: Any) -> None:
    """The answer is that of an update."""
    made = kind.create()
    made["metadata"]["labels"]["updated"] = "yes"

    answer = kind.api.ask("PUT", kind.path(made), made, query=_DRY)

    expect.field(answer, "metadata.labels.updated", "yes")
    expect.absent(kind.read(made), "metadata.labels.updated")


@pytest.mark.requirement("DRA-REQ-21")
def test_a_dry_run_patches_nothing(kind: Any) -> None:
    """The answer is that of a patch."""
    made = kind.create()

    answer = kind.api.ask("PATCH", kind.path(made), _ADD, query=_DRY, content_type=JSON_PATCH)

    expect.field(answer, "metadata.labels.patched", "yes")
    expect.absent(kind.read(made), "metadata.labels.patched")


@pytest.mark.requirement("DRA-REQ-22")
def test_a_dry_run_deletes_no_collection(kind: Any) -> None:
    """The objects are there afterwards."""
    names = sorted(kind.create(one)["metadata"]["name"] for one in ("a", "b"))

    query = {"labelSelector": f"team={kind.world.name}", **_DRY}
    kind.api.ask("DELETE", kind.collection, query=query)

    expect.same(sorted(kind.list()), names, path="names of what is left")


@pytest.mark.requirement("DRA-REQ-23")
def test_a_dry_run_of_another_kind_is_refused(kind: Any) -> None:
    """Half a dry run would write."""
    with expect.refused(422, "dryRun"):
        kind.api.ask("POST", kind.collection, kind.document(), query={"dryRun": "Some"})


@pytest.mark.requirement("DRA-REQ-24")
def test_an_update_under_another_name_is_refused(kind: Any) -> None:
    """The path says which object is meant."""
    made = kind.create()
    other = {**made, "metadata": {**made["metadata"], "name": f"{kind.world.name}-other"}}

    with expect.refused(400):
        kind.api.ask("PUT", kind.path(made), other)


@pytest.mark.requirement("DRA-REQ-25")
def test_an_update_creates_nothing(kind: Any) -> None:
    """What is gone stays gone, whoever still writes to it."""
    document = kind.document()

    with expect.refused(expect.NOT_FOUND):
        kind.api.ask("PUT", kind.path(document), document)


@pytest.mark.requirement("DRA-REQ-26")
def test_an_update_of_another_uid_is_a_conflict(kind: Any) -> None:
    """An object of the same name is not the same object."""
    made = kind.create()
    other = {
        **made,
        "metadata": {**made["metadata"], "uid": "11111111-2222-3333-4444-555555555555"},
    }
    other["metadata"].pop("resourceVersion")

    with expect.refused(409):
        kind.api.ask("PUT", kind.path(made), other)


@pytest.mark.requirement("DRA-REQ-27")
def test_an_update_without_a_version_is_stored(kind: Any) -> None:
    """Whoever does not say what was read does not care what was written in between."""
    made = kind.create()
    made["metadata"].pop("resourceVersion")
    made["metadata"]["labels"]["updated"] = "yes"

    with expect.accepted("an update without a resourceVersion"):
        kind.api.ask("PUT", kind.path(made), made)

    expect.field(kind.read(made), "metadata.labels.updated", "yes")


@pytest.mark.requirement("DRA-REQ-28")
def test_an_update_keeps_who_an_object_is(kind: Any) -> None:
    """Identity and age are the server's to tell."""
    made = kind.create()
    meta = {key: value for key, value in made["metadata"].items() if key != "uid"}
    sent = {**made, "metadata": {**meta, "creationTimestamp": "2001-01-01T00:00:00Z"}}

    kind.api.ask("PUT", kind.path(made), sent)

    now = kind.read(made)
    expect.field(now, "metadata.uid", made["metadata"]["uid"])
    expect.field(now, "metadata.creationTimestamp", made["metadata"]["creationTimestamp"])


@pytest.mark.requirement("DRA-REQ-29")
@pytest.mark.parametrize("kind", ["claim", "template"], indirect=True)
def test_a_namespace_that_is_not_there_is_not_found(kind: Any) -> None:
    """It is not made on the way."""
    path = f"/apis/resource.k8s.io/v1/namespaces/{kind.world.name}-gone/{kind.resource.plural}"

    with expect.refused(expect.NOT_FOUND):
        kind.api.ask("POST", path, kind.document())


@pytest.mark.requirement("DRA-REQ-30")
@pytest.mark.parametrize("kind", ["claim", "template"], indirect=True)
def test_another_namespace_than_that_of_the_path_is_refused(kind: Any) -> None:
    """Permission was asked for the namespace of the path."""
    document = kind.document()
    document["metadata"]["namespace"] = f"{kind.world.name}-other"

    with expect.refused(400):
        kind.api.ask("POST", kind.collection, document)


@pytest.mark.requirement("DRA-REQ-31")
def test_a_test_that_fails_refuses_the_patch(kind: Any) -> None:
    """Whoever tests before writing writes nothing otherwise."""
    made = kind.create()
    test = {"op": "test", "path": "/metadata/labels/team", "value": "another"}

    with expect.refused(422):
        kind.api.ask("PATCH", kind.path(made), [test, *_ADD], content_type=JSON_PATCH)

    expect.absent(kind.read(made), "metadata.labels.patched")


@pytest.mark.requirement("DRA-REQ-32")
def test_a_patch_of_no_known_kind_is_refused(kind: Any) -> None:
    """What a document means depends on the type that it is sent with."""
    made = kind.create()

    with expect.refused(415):
        kind.api.ask("PATCH", kind.path(made), {}, content_type="application/json")


@pytest.mark.requirement("DRA-REQ-33")
def test_an_apply_creates_what_is_not_there(kind: Any) -> None:
    """Who applies need not ask whether it is the first time."""
    document = kind.document()

    query = {"fieldManager": "dra-conformance"}
    with expect.accepted("an apply of what is not there"):
        kind.api.ask("PATCH", kind.path(document), document, query=query, content_type=APPLY_PATCH)

    with expect.accepted("reading what was applied"):
        expect.field(kind.read(document), "spec", document["spec"])


@pytest.mark.requirement("DRA-REQ-34")
def test_an_apply_of_nobody_is_refused(kind: Any) -> None:
    """Fields are owned by somebody."""
    document = kind.document()

    with expect.refused(422, "fieldManager"):
        kind.api.ask("PATCH", kind.path(document), document, content_type=APPLY_PATCH)


@pytest.mark.requirement("DRA-REQ-35")
def test_the_status_is_read_on_its_own_path(claims: Any) -> None:
    """It is the whole claim that is returned there."""
    made = claims.create()

    with expect.accepted("reading the status of a claim"):
        found = claims.api.ask("GET", f"{claims.path(made)}/status")

    expect.field(found, "kind", "ResourceClaim")
    expect.field(found, "metadata.uid", made["metadata"]["uid"])


@pytest.mark.requirement("DRA-REQ-36")
def test_the_status_is_patched_on_its_own_path(claims: Any) -> None:
    """The scheduler and drivers do so."""
    made = claims.create()

    path = f"{claims.path(made)}/status"
    with expect.accepted("a patch of the status of a claim"):
        claims.api.ask("PATCH", path, _ALLOCATED, content_type=MERGE_PATCH)

    expect.present(claims.read(made), "status")


@pytest.mark.requirement("DRA-REQ-37")
def test_discovery_lists_the_status_of_claims(claims: Any) -> None:
    """With the verbs of a subresource."""
    served = claims.api.ask("GET", "/apis/resource.k8s.io/v1")

    verbs = {row["name"]: sorted(row["verbs"]) for row in served["resources"]}
    expect.same(verbs.get("resourceclaims/status"), ["get", "patch", "update"], path="verbs")
