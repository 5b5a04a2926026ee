"""A real API server still holds every conversation as it was recorded to."""

from __future__ import annotations

import pytest

from conformance.tests.differential.transcripts import comparing, record
from conformance.upstream import prerequisites


@pytest.mark.upstream
@pytest.mark.timeout(600)
@pytest.mark.parametrize("gates", record.GATES)
def test_a_real_server_answers_as_recorded(gates: str) -> None:
    if missing := prerequisites.missing(kubelet=False):
        pytest.skip("not run: " + "; ".join(missing))

    fresh = record.fresh(gates)

    recorded = {name: record.recorded(name) for name in fresh}
    assert fresh, f"no script has the gates {gates}"
    assert {
        name: comparing.differences(answers, recorded[name]) for name, answers in fresh.items()
    } == {name: [] for name in fresh}
