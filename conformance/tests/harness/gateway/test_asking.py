"""What is asked is read as an API server reads it."""

from __future__ import annotations

import pytest

from conformance.harness.gateway.asking import Ask, read

SLICES = "/apis/resource.k8s.io/v1/resourceslices"
CLAIMS = "/apis/resource.k8s.io/v1/namespaces/a/resourceclaims"
DRA = "resource.k8s.io"


@pytest.mark.parametrize(
    ("method", "path", "verb"),
    [
        ("GET", SLICES, "list"),
        ("POST", SLICES, "create"),
        ("DELETE", SLICES, "deletecollection"),
        ("GET", f"{SLICES}/a", "get"),
        ("PUT", f"{SLICES}/a", "update"),
        ("PATCH", f"{SLICES}/a", "patch"),
        ("DELETE", f"{SLICES}/a", "delete"),
    ],
)
def test_the_verb_is_told_by_method_and_path(method: str, path: str, verb: str) -> None:
    name = "a" if path.endswith("/a") else ""

    found = read(method, path, {})

    assert found == Ask(verb=verb, group=DRA, resource="resourceslices", name=name)


def test_a_watch_is_a_list_that_goes_on() -> None:
    found = read("GET", SLICES, {"watch": "true", "fieldSelector": "spec.driver=d,spec.x!=y"})

    assert found is not None
    assert (found.verb, found.fields) == ("watch", {"spec.driver": "d"})
    assert read("GET", SLICES, {"watch": "false"}) == read("GET", SLICES, {})


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        (
            "PUT",
            f"{CLAIMS}/c/status",
            Ask(
                verb="update", group=DRA, resource="resourceclaims", name="c", subresource="status"
            ),
        ),
        (
            "POST",
            "/api/v1/namespaces/a/serviceaccounts/b/token",
            Ask(verb="create", group="", resource="serviceaccounts", name="b", subresource="token"),
        ),
        ("GET", "/api/v1/nodes/n%2E1", Ask(verb="get", group="", resource="nodes", name="n.1")),
        ("GET", "/api/v1/namespaces/a", Ask(verb="get", group="", resource="namespaces", name="a")),
    ],
)
def test_names_and_subresources_are_found(method: str, path: str, expected: Ask) -> None:
    assert read(method, path, {}) == expected


@pytest.mark.parametrize("path", ["/version", "/api", "/apis", "/apis/apps/v1", "/api/v1", "/"])
def test_what_is_no_resource_is_none(path: str) -> None:
    assert read("GET", path, {}) is None
