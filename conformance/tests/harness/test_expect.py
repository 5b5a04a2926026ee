"""Comparisons say what was expected, where, and what stood there."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.errors import ABSENT, Violation
from conformance.kube.fields import ErrorKind, FieldError
from conformance.kube.status import invalid

CLAIM = {
    "metadata": {"labels": {"kubernetes.io/hostname": "node-1"}},
    "status": {"devices": [{"pool": "a"}, {"pool": "b"}], "allocation": {}},
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        pytest.param("status.devices[1].pool", "b", id="an item of a list"),
        pytest.param("metadata.labels[kubernetes.io/hostname]", "node-1", id="a key with dots"),
        pytest.param("status.devices[2].pool", ABSENT, id="beyond the end of a list"),
        pytest.param("spec.nodeName", ABSENT, id="below a field that is missing"),
        pytest.param("status.devices.pool", ABSENT, id="a name where a list stands"),
    ],
)
def test_at_follows_a_path(path: str, found: object) -> None:
    assert expect.at(CLAIM, path) == found


def test_a_violation_names_expectation_path_and_observation() -> None:
    with pytest.raises(Violation) as caught:
        expect.field(CLAIM, "status.devices[0].pool", "z")

    assert str(caught.value) == "expected 'z' at `status.devices[0].pool`, observed a"


def test_an_empty_object_is_absent_but_not_unset() -> None:
    expect.absent(CLAIM, "status.allocation")

    with pytest.raises(Violation):
        expect.unset(CLAIM, "status.allocation")


def refuse(path: str) -> None:
    error = FieldError(kind=ErrorKind.REQUIRED, path=path)
    raise invalid("ResourceClaim", "resource.k8s.io", "claim", [error])


@pytest.mark.parametrize("path", ["spec", "spec.driver", "spec.driver.name"])
def test_a_refusal_with_a_cause_in_the_field_is_what_was_expected(path: str) -> None:
    with expect.refused(422, path):
        refuse("spec.driver.name")


@pytest.mark.parametrize(
    ("code", "path"),
    [
        pytest.param(409, "spec.driver", id="another code"),
        pytest.param(422, "spec.drivers", id="a field whose name only starts alike"),
    ],
)
def test_another_refusal_is_a_violation(code: int, path: str) -> None:
    with pytest.raises(Violation), expect.refused(code, path):
        refuse("spec.driver")


def test_acceptance_where_a_refusal_was_expected_is_a_violation() -> None:
    with pytest.raises(Violation, match="observed acceptance"), expect.refused(422):
        pass


@pytest.mark.parametrize("status", ["False", "Unknown"])
def test_a_condition_with_another_status_is_a_violation(status: str) -> None:
    value = {"status": {"conditions": [{"type": "Ready", "status": status}]}}

    with pytest.raises(Violation, match="Ready=True"):
        expect.condition(value, "Ready", "True")
