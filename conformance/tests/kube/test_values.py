"""Objects, conditions, names, versions, times, errors and kinds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from conformance.kube import conditions, fields, names, objects, resources, semver, status, times

_NOW = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)


def test_readers_of_metadata() -> None:
    owner = {"kind": "Pod", "controller": True}
    obj: dict[str, Any] = {
        "metadata": {
            "name": "a",
            "namespace": "n",
            "uid": "u",
            "ownerReferences": [{"kind": "Other"}, owner],
        }
    }

    assert (objects.name_of(obj), objects.namespace_of(obj), objects.uid_of(obj)) == ("a", "n", "u")
    assert objects.key_of(obj) == "n/a"
    assert objects.key_of({"metadata": {"name": "a"}}) == "a"
    assert objects.owner_of(obj) is owner
    assert objects.owner_of({}) is None
    assert objects.meta({}) == {}


def test_a_condition_moves_its_time_only_with_its_status() -> None:
    present: list[dict[str, Any]] = []
    later = _NOW + timedelta(hours=1)

    assert conditions.put(present, {"type": "A", "status": "False", "reason": "x"}, _NOW)
    assert conditions.put(present, {"type": "A", "status": "False", "reason": "y"}, later)
    assert present[0]["lastTransitionTime"] == "2026-01-02T03:04:05Z"
    assert not conditions.put(present, {"type": "A", "status": "False", "reason": "y"}, later)
    assert conditions.put(present, {"type": "A", "status": "True"}, later)
    assert present[0]["lastTransitionTime"] == "2026-01-02T04:04:05Z"
    assert conditions.is_true(present, "A")
    assert not conditions.is_true(None, "A")
    assert conditions.find(present, "B") is None


def test_times_are_utc_to_the_second() -> None:
    text = times.format_time(_NOW)

    assert text == "2026-01-02T03:04:05Z"
    assert times.parse(text) == _NOW.replace(microsecond=0)
    with pytest.raises(ValueError, match="has no zone"):
        times.parse("2026-01-02T03:04:05")


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        pytest.param(names.dns_label, "a-1", "A", id="label in upper case"),
        pytest.param(names.dns_label, "a" * 63, "a" * 64, id="label too long"),
        pytest.param(names.dns_subdomain, "a.b-c", "a..b", id="subdomain with empty part"),
        pytest.param(names.qualified_name, "x.io/Name_1", "x.io/", id="qualified without name"),
        pytest.param(names.qualified_name, "Name", "/Name", id="qualified without prefix"),
        pytest.param(names.qualified_name, "a/b", "A_/b", id="qualified with wrong prefix"),
        pytest.param(names.qualified_name, "n" * 63, "n" * 64, id="qualified too long"),
        pytest.param(names.qualified_name, "n", "-n", id="qualified with wrong start"),
        pytest.param(names.label_value, "", "-", id="label value"),
        pytest.param(names.c_identifier, "_a1", "1a", id="identifier"),
    ],
)
def test_names(check: Any, good: str, bad: str) -> None:
    assert check(good) == []
    assert check(bad)


def test_generated_names_keep_the_prefix() -> None:
    assert names.generated("pod-", lambda count: "x" * count) == "pod-xxxxx"
    assert len(names.generated("p" * 300, lambda count: "x" * count)) == 253


def test_versions_are_ordered_by_precedence() -> None:
    # The chain of semver.org 2.0.0 §11.
    pre = ["alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1"]
    texts = [*(f"1.0.0-{one}" for one in pre), "1.0.0", "2.0.0", "2.1.0", "2.1.1"]
    parsed = [semver.parse(text) for text in texts]

    assert sorted(set(parsed)) == parsed
    assert len(set(parsed)) == len(parsed)


def test_build_metadata_does_not_count() -> None:
    assert semver.parse("1.0.0+a") == semver.parse("1.0.0+b")
    assert hash(semver.parse("1.0.0+a")) == hash(semver.parse("1.0.0"))


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-", ""])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(semver.SemverError):
        semver.parse(text)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        pytest.param(fields.invalid("a.b", "v", "no"), 'a.b: Invalid value: "v": no', id="invalid"),
        pytest.param(fields.invalid("a", None, "no"), "a: Invalid value: null: no", id="null"),
        pytest.param(fields.required("a", "x"), "a: Required value: x", id="required"),
        pytest.param(fields.duplicate("a[1]", "v"), 'a[1]: Duplicate value: "v"', id="duplicate"),
        pytest.param(fields.forbidden("a", "no"), "a: Forbidden: no", id="forbidden"),
        pytest.param(
            fields.not_supported("a", "x", ("c", "b")),
            'a: Unsupported value: "x": supported values: "b", "c"',
            id="not supported",
        ),
        pytest.param(
            fields.too_long("a", 3), "a: Too long: may not be more than 3 bytes", id="too long"
        ),
        pytest.param(
            fields.too_many("a", 9, 8), "a: Too many: 9: must have at most 8 items", id="too many"
        ),
        pytest.param(fields.not_found("a", "k"), 'a: Not found: "k"', id="not found"),
        pytest.param(
            fields.type_invalid("", 1, "must be text"), "Invalid value: 1: must be text", id="type"
        ),
    ],
)
def test_field_errors_are_spelled_as_kubernetes_does(
    error: fields.FieldError, sentence: str
) -> None:
    assert str(error) == sentence


@pytest.mark.parametrize(
    ("error", "code", "reason", "message"),
    [
        pytest.param(
            status.not_found("pods", "", "a"), 404, "NotFound", 'pods "a" not found', id="404"
        ),
        pytest.param(
            status.already_exists("resourceclaims", "resource.k8s.io", "a"),
            409,
            "AlreadyExists",
            'resourceclaims.resource.k8s.io "a" already exists',
            id="409 exists",
        ),
        pytest.param(
            status.conflict("pods", "", "a", "why"),
            409,
            "Conflict",
            'Operation cannot be fulfilled on pods "a": why',
            id="409 conflict",
        ),
        pytest.param(
            status.forbidden("pods", "", "a", "why"),
            403,
            "Forbidden",
            'pods "a" is forbidden: why',
            id="403",
        ),
        pytest.param(status.bad_request("why"), 400, "BadRequest", "why", id="400"),
        pytest.param(status.expired("why"), 410, "Expired", "why", id="410 expired"),
        pytest.param(status.gone("why"), 410, "Gone", "why", id="410 gone"),
        pytest.param(status.unauthorized(), 401, "Unauthorized", "Unauthorized", id="401"),
        pytest.param(
            status.not_acceptable(["a", "b"]),
            406,
            "NotAcceptable",
            "only the following media types are accepted: a, b",
            id="406",
        ),
        pytest.param(status.timeout("why"), 504, "Timeout", "why", id="504"),
        pytest.param(status.too_large(3), 413, "RequestEntityTooLarge", "limit is 3", id="413"),
        pytest.param(
            status.internal("why"),
            500,
            "InternalError",
            "Internal error occurred: why",
            id="500",
        ),
    ],
)
def test_status_errors(error: status.StatusError, code: int, reason: str, message: str) -> None:
    assert (error.code, error.reason, error.message) == (code, reason, message)
    assert str(error) == f"{code} {reason}: {message}"


def test_media_types_and_methods_that_are_refused() -> None:
    assert status.method_not_allowed().code == 405
    assert "accepted media types include: a" in status.unsupported_media_type(["a"]).message


def test_an_invalid_object_names_all_causes() -> None:
    errors = [fields.required("spec.a"), fields.invalid("spec.b", 1, "no")]

    error = status.invalid("Pod", "", "p", errors)

    assert error.message == (
        'Pod "p" is invalid: [spec.a: Required value, spec.b: Invalid value: 1: no]'
    )
    assert error.causes == [("spec.a", "FieldValueRequired"), ("spec.b", "FieldValueInvalid")]
    assert status.invalid("Pod", "", "p", errors[:1]).message == (
        'Pod "p" is invalid: spec.a: Required value'
    )


def test_a_status_survives_the_wire() -> None:
    error = status.not_found("pods", "", "a")

    again = status.StatusError.from_object(error.to_object())

    assert again.to_object() == error.to_object()
    assert "details" not in status.unauthorized().to_object()
    assert status.StatusError.from_object("oops", 502).code == 502
    assert status.StatusError.from_object({}, 503).reason == "Unknown"


def test_kinds_are_found_by_group_version_and_plural() -> None:
    claims = resources.find("resource.k8s.io", "v1", "resourceclaims")

    assert claims is not None
    assert (claims.kind, claims.namespaced) == ("ResourceClaim", True)
    assert (claims.api_version, claims.qualified) == (
        "resource.k8s.io/v1",
        "resourceclaims.resource.k8s.io",
    )
    assert "status" in claims.subresources
    assert resources.find("", "v2", "pods") is None
    pods = resources.find("", "v1", "pods")
    assert pods is not None
    assert (pods.api_version, pods.qualified) == ("v1", "pods")
