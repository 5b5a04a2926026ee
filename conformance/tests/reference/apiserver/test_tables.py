"""The cells of ``kubectl get``, and that the tables of this component are complete."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from conformance.dra.features import Features
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication.users import Known
from conformance.reference.apiserver.http import tables
from conformance.reference.apiserver.seams import SEAMS
from conformance.reference.apiserver.server import ApiServer
from conformance.reference.apiserver.simplifications import SIMPLIFICATIONS
from conformance.reference.clock import VirtualClock
from conformance.reference.faults.seams import Faults
from conformance.reference.identity import Identity
from conformance.reference.store.memory import Store

NOW = datetime(2026, 1, 3, tzinfo=UTC)


def row(plural: str, **rest: Any) -> list[Any]:
    obj: Object = {"metadata": {"name": "x", "creationTimestamp": "2026-01-01T00:00:00Z"}, **rest}
    return tables.rows(plural, [obj], NOW)[0][1:-1]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        pytest.param(row("resourceclaims"), ["pending"], id="pending claim"),
        pytest.param(
            row("resourceclaims", status={"allocation": {}, "reservedFor": [{"uid": "1"}]}),
            ["allocated,reserved"],
            id="claim in use",
        ),
        pytest.param(
            row(
                "nodes",
                spec={"unschedulable": True},
                status={"conditions": [{"type": "Ready", "status": "True"}]},
            ),
            ["Ready,SchedulingDisabled", ""],
            id="cordoned node",
        ),
        pytest.param(
            row("resourceslices", spec={"driver": "d", "pool": {"name": "p"}}),
            ["", "d", "p"],
            id="slice without node",
        ),
        pytest.param(
            row("pods", spec={"containers": [{}, {}]}, status={"phase": "Succeeded"}),
            ["0/2", "Completed", "0"],
            id="completed pod",
        ),
        pytest.param(row("configmaps"), [], id="a kind without columns of its own"),
    ],
)
def test_a_row_says_how_things_stand(cells: list[Any], expected: list[Any]) -> None:
    assert cells == expected


@pytest.mark.parametrize(
    ("created", "age"),
    [
        ("2026-01-02T23:59:00Z", "60s"),
        ("2026-01-02T23:00:00Z", "60m"),
        ("2026-01-02T00:00:00Z", "24h"),
        ("2025-12-03T00:00:00Z", "31d"),
        ("", "<unknown>"),
    ],
)
def test_ages_have_one_unit(created: str, age: str) -> None:
    obj: Object = {"metadata": {"name": "x", "creationTimestamp": created}}

    assert tables.rows("configmaps", [obj], NOW) == [["x", age]]


def test_every_seam_of_the_table_is_there_and_no_other() -> None:
    wrapped: set[str] = set()

    class Recording(Faults):
        def wrap(self, seam: str, function: Callable[..., Any]) -> Any:
            wrapped.add(seam)
            return function

    ApiServer(
        Store(),
        clock=VirtualClock(),
        identity=Identity(),
        features=Features(),
        known=Known(tokens={}),
        faults=Recording(),
    )

    assert wrapped == set(SEAMS)


def test_simplifications_are_sentences() -> None:
    assert all(one.endswith(".") and one[0].isupper() for one in SIMPLIFICATIONS)
    assert len(set(SIMPLIFICATIONS)) == len(SIMPLIFICATIONS)
