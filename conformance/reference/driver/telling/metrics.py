"""What a driver counts of its work, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from conformance.reference.client.api import ApiClient
from conformance.reference.driver.checkpoint import Checkpoint
from conformance.reference.faults.seams import Faults
from conformance.reference.measuring.endpoint import Reply
from conformance.reference.measuring.measures import Measures, Sample, text
from conformance.reference.shifted import ShiftedClock

#: The metrics of the driver: operations on claims, how long they take, and what is prepared now.
OPERATIONS = "example_driver_claim_operations_total"
DURATIONS = "example_driver_claim_operation_duration_seconds"
PREPARED = "example_driver_prepared_claims"

#: As Prometheus has it for its text format.
_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_NOT_FOUND = Reply(code=404, body="404 page not found\n")


def measured(operation: str, _uid: str, error: str) -> Mapping[str, str]:
    """Return the labels of an operation on a claim; every value is known in advance."""
    return {"operation": operation, "result": "error" if error else "success"}


def told(samples: Sequence[Sample]) -> str:
    """Return what is told."""
    return text(samples)


async def reply(body: str, _client: ApiClient, _calls: int) -> Reply:
    """Return the answer with a text; ``_calls`` of a kubelet are under way."""
    return Reply(code=200, body=body, content_type=_CONTENT_TYPE)


class DriverMetrics:
    """The metrics of one instance."""

    def __init__(
        self, client: ApiClient, clock: ShiftedClock, checkpoint: Checkpoint, faults: Faults
    ) -> None:
        self._client = client
        self._clock = clock
        self._labels = faults.wrap("driver.measured", measured)
        self._told: Callable[[Sequence[Sample]], str] = faults.wrap("driver.metrics", told)
        self._reply: Callable[[str, ApiClient, int], Awaitable[Reply]] = faults.wrap(
            "driver.metrics_reply", reply
        )
        self._measures = Measures()
        self._measures.gauge(PREPARED, lambda: [({}, float(len(checkpoint.claims())))])
        self._calls = 0
        for operation in ("prepare", "unprepare"):
            for error in ("", "any"):
                self._measures.start_at_zero(OPERATIONS, **measured(operation, "", error))

    @contextmanager
    def call(self) -> Iterator[None]:
        """Note a call of a kubelet while it is under way."""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1

    def now(self) -> float:
        """Return the seconds of the driver's clock."""
        return self._clock.monotonic()

    def done(self, operation: str, uid: str, error: str, begun: float) -> None:
        """Count an operation on a claim that began then; no error is success."""
        labels = self._labels(operation, uid, error)
        self._measures.count(OPERATIONS, **labels)
        self._measures.observe(DURATIONS, self.now() - begun, **labels)

    async def answer(self, parts: Sequence[str]) -> Reply:
        """Answer a GET."""
        if list(parts) != ["metrics"]:
            return _NOT_FOUND
        body = self._told(self._measures.samples())
        return await self._reply(body, self._client, self._calls)
