"""The driver on the bench, and a stream to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import health
from conformance.harness.bench.conduct.health import Watch


@pytest.fixture
def watch(bench: Bench) -> Iterator[Watch]:
    """Yield a stream of the version that kubelets prefer."""
    with health.watched(bench) as opened_stream:
        yield opened_stream
