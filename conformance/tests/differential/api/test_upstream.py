"""A real API server still answers as it was recorded to."""

from __future__ import annotations

import pytest

from conformance.tests.differential.api import comparing, record
from conformance.upstream import prerequisites


@pytest.mark.upstream
@pytest.mark.timeout(600)
@pytest.mark.parametrize("gates", record.GATES)
def test_a_real_server_answers_as_recorded(gates: str) -> None:
    if missing := prerequisites.missing(kubelet=False):
        pytest.skip("not run: " + "; ".join(missing))

    fresh, recorded = record.fresh(gates), record.recorded(gates)

    assert comparing.differences(fresh, recorded) == []
    assert fresh.keys() == recorded.keys()
