"""Only a violation accuses the target; nothing else counts as a failure or as a pass."""

from __future__ import annotations

import pytest

from conformance.evidence.verdict import Outcome
from conformance.harness.errors import (
    BoundTooLong,
    TargetUnreachable,
    Unsupported,
    Violation,
)
from conformance.kube.status import not_found
from conformance.plugin import outcomes


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        pytest.param(Violation("x", observed="y"), Outcome.FAILED, id="a violation"),
        pytest.param(AssertionError("x"), Outcome.FAILED, id="a plain assertion"),
        pytest.param(Unsupported("no kubelet"), Outcome.UNSUPPORTED, id="a capability is missing"),
        pytest.param(
            BoundTooLong("x", bound="b", seconds=9, allowed=1),
            Outcome.INCONCLUSIVE,
            id="a wait that was cut short",
        ),
        pytest.param(TargetUnreachable("gone"), Outcome.ERRORED, id="the target is gone"),
        pytest.param(not_found("pods", "", "pod"), Outcome.ERRORED, id="an answer nobody expected"),
        pytest.param(KeyError("x"), Outcome.ERRORED, id="a bug of ours"),
    ],
)
def test_what_an_exception_means(error: BaseException, outcome: Outcome) -> None:
    assert outcomes.of(error).outcome is outcome


def test_what_broke_on_our_side_comes_with_its_trace() -> None:
    finding = outcomes.of(KeyError("x"))

    assert [one.kind for one in finding.exhibits] == ["log"]


def test_a_failure_cites_its_source() -> None:
    finding = outcomes.because(outcomes.of(Violation("x", observed="y")), ["How DRA Works, A"])

    assert finding.message == "expected x, observed y; because (How DRA Works, A)"


@pytest.mark.parametrize(
    ("waivers", "outcome"),
    [
        pytest.param({"A": "known", "B": "known"}, Outcome.WAIVED, id="every id is waived"),
        pytest.param({"A": "known"}, Outcome.FAILED, id="one id is not"),
    ],
)
def test_a_waiver_must_cover_everything_that_is_accused(
    waivers: dict[str, str], outcome: Outcome
) -> None:
    finding = outcomes.of(Violation("x", observed="y"))

    assert outcomes.waived(finding, ["A", "B"], waivers).outcome is outcome


def test_only_failures_are_waived() -> None:
    finding = outcomes.waived(outcomes.PASSED, ["A"], {"A": "known"})

    assert finding.outcome is Outcome.PASSED
