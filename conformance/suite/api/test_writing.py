"""Create, update, patch and delete, for every kind."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.client import (
    APPLY_PATCH,
    JSON_PATCH,
    MERGE_PATCH,
    STRATEGIC_MERGE_PATCH,
)

_LABEL = {"metadata": {"labels": {"patched": "yes"}}}
_ADD = [{"op": "add", "path": "/metadata/labels/patched", "value": "yes"}]


def changed(kind: Any, patch: Any, content_type: str, **query: str) -> None:
    """Expect that a patch sets a label and keeps everything else."""
    made = kind.create()

    path = kind.path(made)
    kind.api.ask("PATCH", path, patch, content_type=content_type, query=query)

    now = kind.read(made)
    expect.field(now, "metadata.labels.patched", "yes")
    expect.field(now, "metadata.labels.team", kind.world.name)
    expect.field(now, "metadata.annotations[d.example/note]", "kept")
    expect.field(now, "spec", made["spec"])


@pytest.mark.requirement("DRA-API-01")
def test_an_object_is_stored_as_it_was_sent(kind: Any) -> None:
    """The server adds who it is and since when; the rest is what the client wanted."""
    wanted = kind.document()

    made = kind.create()

    found = kind.read(made)
    expect.field(found, "spec", wanted["spec"])
    expect.field(found, "metadata.annotations[d.example/note]", "kept")
    expect.present(found, "metadata.uid")
    expect.present(found, "metadata.creationTimestamp")
    version = expect.present(found, "metadata.resourceVersion")
    expect.same(version, made["metadata"]["resourceVersion"], path="metadata.resourceVersion")


@pytest.mark.requirement("DRA-API-04")
def test_an_update_is_stored(kind: Any) -> None:
    """What was read is written back with another label."""
    made = kind.create()
    made["metadata"]["labels"]["updated"] = "yes"

    answer = kind.api.ask("PUT", kind.path(made), made)

    now = kind.read(made)
    before = made["metadata"]["resourceVersion"]
    expect.field(now, "metadata.labels.updated", "yes")
    expect.field(now, "spec", made["spec"])
    version = answer["metadata"]["resourceVersion"]
    expect.that(version != before, "another resourceVersion", observed=version)


@pytest.mark.requirement("DRA-API-05a")
def test_a_merge_patch_changes_what_it_names(kind: Any) -> None:
    """RFC 7386."""
    changed(kind, _LABEL, MERGE_PATCH)


@pytest.mark.requirement("DRA-API-05b")
def test_a_json_patch_changes_what_it_names(kind: Any) -> None:
    """RFC 6902."""
    changed(kind, _ADD, JSON_PATCH)


@pytest.mark.requirement("DRA-API-05c")
def test_a_strategic_merge_patch_changes_what_it_names(kind: Any) -> None:
    """Kubernetes' own patch, which kubectl sends for kinds that are built in."""
    changed(kind, _LABEL, STRATEGIC_MERGE_PATCH)


@pytest.mark.requirement("DRA-API-05d")
def test_an_apply_changes_what_it_names(kind: Any) -> None:
    """A manager that applies one label owns that label and nothing else."""
    document = kind.document()
    head = {key: document[key] for key in ("apiVersion", "kind")}
    meta = {"name": document["metadata"]["name"], **_LABEL["metadata"]}

    changed(kind, {**head, "metadata": meta}, APPLY_PATCH, fieldManager="dra-conformance")


@pytest.mark.requirement("DRA-API-06")
def test_a_deleted_object_is_gone(kind: Any) -> None:
    """Nothing uses it, so it goes at once."""
    made = kind.create()

    kind.world.withdraw(made)

    with expect.refused(expect.NOT_FOUND):
        kind.read(made)


@pytest.mark.requirement("DRA-API-07")
def test_a_collection_is_deleted_as_far_as_it_is_selected(kind: Any) -> None:
    """Two are selected by a label of their own, the third one stays."""
    for name in ("a", "b"):
        document = kind.document(name)
        document["metadata"]["labels"]["doomed"] = kind.world.name
        kind.world.create(document)
    third = kind.create("c")

    query = {"labelSelector": f"doomed={kind.world.name}"}
    kind.api.ask("DELETE", kind.collection, query=query)

    expect.same(kind.list(), [third["metadata"]["name"]], path="names of what is left")


@pytest.mark.requirement("DRA-API-11")
def test_a_generated_name_begins_as_it_was_asked(kind: Any) -> None:
    """Two objects of one manifest have two names."""
    document = kind.document()
    prefix = f"{document['metadata'].pop('name')}-"
    document["metadata"]["generateName"] = prefix

    with expect.accepted("an object with generateName"):
        names = [kind.world.create(dict(document))["metadata"]["name"] for _ in range(2)]

    expect.that(all(one.startswith(prefix) for one in names), prefix, observed=names)
    expect.that(len(set(names)) == 2, "two different names", observed=names)


@pytest.mark.requirement("DRA-API-12")
def test_an_outdated_write_is_a_conflict(kind: Any) -> None:
    """Somebody else wrote in between."""
    made = kind.create()
    kind.world.patch(made, _ADD)

    with expect.refused(409):
        kind.api.ask("PUT", kind.path(made), made)


@pytest.mark.requirement("DRA-API-13")
def test_a_name_is_given_once(kind: Any) -> None:
    """The first one stays as it is."""
    made = kind.create()

    with expect.refused(409):
        kind.api.ask("POST", kind.collection, kind.document())

    expect.field(kind.read(made), "metadata.uid", made["metadata"]["uid"])


@pytest.mark.requirement("DRA-API-20a")
def test_a_dry_run_creates_nothing(kind: Any) -> None:
    """The answer is that of a create."""
    document = kind.document()

    answer = kind.api.ask("POST", kind.collection, document, query={"dryRun": "All"})

    expect.field(answer, "spec", document["spec"])
    with expect.refused(expect.NOT_FOUND):
        kind.read(document)


@pytest.mark.requirement("DRA-API-20b")
def test_a_dry_run_deletes_nothing(kind: Any) -> None:
    """The object is there afterwards, the same one."""
    made = kind.create()

    kind.api.ask("DELETE", kind.path(made), query={"dryRun": "All"})

    with expect.accepted("reading what was deleted in a dry run"):
        expect.field(kind.read(made), "metadata.uid", made["metadata"]["uid"])


@pytest.mark.requirement("DRA-API-21a")
def test_an_unknown_field_is_refused_when_strict(kind: Any) -> None:
    """A misspelt field is found before it is missed."""
    document = kind.document()
    document["spec"]["surprise"] = 1

    with expect.refused(400):
        kind.api.ask("POST", kind.collection, document, query={"fieldValidation": "Strict"})


@pytest.mark.requirement("DRA-API-21b")
def test_an_unknown_field_is_dropped_with_a_warning(kind: Any) -> None:
    """The rest is stored; what is said is not judged."""
    document = kind.document()
    document["spec"]["surprise"] = 1

    answer, warning = kind.api.warned(
        "POST", kind.collection, document, query={"fieldValidation": "Warn", "dryRun": "All"}
    )

    expect.unset(answer, "spec.surprise")
    expect.that(warning.startswith("299 "), "a warning", path="Warning", observed=warning)


@pytest.mark.requirement("DRA-API-21c")
def test_an_unknown_field_is_ignored_when_asked(kind: Any) -> None:
    """Clients that know more than the server may want that."""
    document = kind.document()
    document["spec"]["surprise"] = 1

    answer, warning = kind.api.warned(
        "POST", kind.collection, document, query={"fieldValidation": "Ignore", "dryRun": "All"}
    )

    expect.unset(answer, "spec.surprise")
    expect.same(warning, "", path="Warning")
