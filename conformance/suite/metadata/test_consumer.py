"""A consumer of metadata: what it takes from a stream, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.harness.observe import streams
from conformance.harness.observe.streams import document
from conformance.harness.programs.consumer import Consumer
from conformance.kube.objects import Object

#: A version that nobody knows, with a content that nobody could decode.
UNKNOWN = document("v99", "unknown", requests="of another form")


@pytest.mark.requirement("DRA-MET-06a")
@pytest.mark.parametrize(
    "documents",
    [
        pytest.param([document("v1beta1", "wanted")], id="one version"),
        pytest.param([UNKNOWN, document("v1beta1", "wanted")], id="an unknown version first"),
        pytest.param([document("v1beta1", "wanted"), UNKNOWN], id="an unknown version last"),
        pytest.param(
            [document("v1beta1", "wanted"), document("v1alpha1", "later")],
            id="two known versions",
        ),
        pytest.param(
            [UNKNOWN, UNKNOWN, document("v1beta1", "wanted"), document("v1alpha1", "later")],
            id="several of both",
        ),
    ],
)
def test_the_first_known_version_is_taken(consumer: Consumer, documents: list[Object]) -> None:
    """The consumer returns the first object that it knows, whatever comes before and after."""
    answer = consumer.read(streams.of(documents))

    streams.taken(answer, "wanted")


@pytest.mark.requirement("DRA-MET-06b")
@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"requests": "gpu"}, id="requests are no list"),
        pytest.param({"requests": [{"name": "gpu", "devices": {}}]}, id="devices are no list"),
        pytest.param({"metadata": {"name": "bad", "generation": "one"}}, id="no number"),
        pytest.param({"kind": None}, id="no kind"),
    ],
)
def test_a_malformed_object_of_a_known_version_is_an_error(
    consumer: Consumer, fields: dict[str, Any]
) -> None:
    """The consumer fails, and does not fall back on the next version."""
    bad = document("v1beta1", "bad", **fields)

    answer = consumer.read(streams.of([bad, document("v1alpha1", "later")]))

    streams.refused(answer)


@pytest.mark.requirement("DRA-MET-24")
@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"podClaimName": "%!$#"}, id="a name that is no label"),
        pytest.param({"podClaimName": "a" * 64}, id="a name that is too long"),
    ],
)
def test_an_invalid_object_is_returned_nevertheless(
    consumer: Consumer, fields: dict[str, Any]
) -> None:
    """What can be decoded is returned, whatever a validation says of it."""
    answer = consumer.read(streams.of([document("v1beta1", "odd", **fields)]))

    streams.taken(answer, "odd")
