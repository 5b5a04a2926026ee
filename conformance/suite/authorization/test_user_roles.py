"""What the roles for people let them do."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.access.attempts import allowed, claim_of, forbidden, slice_of, template_of
from conformance.harness.access.people import People
from conformance.harness.world import World

#: The objects that users of a namespace write.
USERS_OWN = [
    pytest.param("resourceclaims", claim_of, id="claims"),
    pytest.param("resourceclaimtemplates", template_of, id="templates"),
]


@pytest.mark.requirement("DRA-AUT-01")
@pytest.mark.parametrize("verb", ["get", "list"])
@pytest.mark.parametrize(("resource", "made"), USERS_OWN)
def test_a_viewer_reads(world: World, people: People, verb: str, resource: str, made: Any) -> None:
    """Somebody with the role view sees an object of the namespace, alone and in a list."""
    world.create(made(world.device_class, "thing"))

    viewer = people.appoint("viewer", "view")

    allowed(viewer.api, verb, resource, namespace=world.namespace, name="thing")


@pytest.mark.requirement("DRA-AUT-02")
@pytest.mark.parametrize(("resource", "made"), USERS_OWN)
def test_an_editor_writes(world: World, people: People, resource: str, made: Any) -> None:
    """Somebody with the role edit creates, changes and deletes an object."""
    editor = people.appoint("editor", "edit")
    place = {"namespace": world.namespace, "name": "thing"}

    allowed(editor.api, "create", resource, made(world.device_class, "thing"), **place)
    allowed(editor.api, "patch", resource, {"metadata": {"labels": {"a": "b"}}}, **place)
    allowed(editor.api, "delete", resource, **place)
    allowed(editor.api, "deletecollection", resource, **place)


@pytest.mark.requirement("DRA-AUT-03")
@pytest.mark.parametrize("verb", ["create", "update", "patch", "delete", "deletecollection"])
@pytest.mark.parametrize(("resource", "made"), USERS_OWN)
def test_a_viewer_writes_nothing(
    world: World, people: People, verb: str, resource: str, made: Any
) -> None:
    """Whatever a viewer tries to change is forbidden."""
    world.create(made(world.device_class, "thing"))

    viewer = people.appoint("viewer", "view")

    forbidden(viewer.api, verb, resource, namespace=world.namespace, name="thing")


@pytest.mark.requirement("DRA-AUT-04")
@pytest.mark.parametrize("role", ["edit", "admin"])
@pytest.mark.parametrize("verb", ["update", "patch"])
def test_the_status_of_a_claim_is_not_for_users(
    world: World, people: People, role: str, verb: str
) -> None:
    """What is allocated and reserved is not for who writes the claim to say."""
    world.create(claim_of(world.device_class, "thing"))

    user = people.appoint("user", role)

    place = {"namespace": world.namespace, "name": "thing"}
    forbidden(user.api, verb, "resourceclaims/status", **place)


@pytest.mark.requirement("DRA-AUT-04")
@pytest.mark.parametrize("role", ["edit", "admin"])
@pytest.mark.parametrize("verb", ["create", "update", "patch", "delete"])
@pytest.mark.parametrize("resource", ["deviceclasses", "resourceslices"])
def test_what_serves_the_whole_cluster_is_not_for_users(
    world: World, people: People, role: str, verb: str, resource: str
) -> None:
    """Classes are for the administrator, slices for drivers."""
    world.apply("workflow/class")
    world.create(slice_of(world.driver, world.device_class, allNodes=True))

    user = people.appoint("user", role)

    forbidden(user.api, verb, resource, name=world.device_class)
