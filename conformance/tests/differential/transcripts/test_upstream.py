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

    assert fresh, f"no script has the gates {gates}"
    different = [
        f"{name}: {row['say']}\n  now {row}\n  was {answer}"
        for name, answers in fresh.items()
        for row, answer in comparing.pairs(answers, record.recorded(name))
    ]
    # Whole, since a log may be all that is left of this server.
    assert not different, "\n".join(different)
