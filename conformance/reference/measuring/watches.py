"""Who counts what: a work queue, calls of drivers, operations of a kubelet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import attrs

from conformance.reference.clock import Clock
from conformance.reference.measuring.measures import Measures

#: Does something for a Pod.
Operation = Callable[[Any], Awaitable[None]]


@attrs.frozen
class QueueMeasures:
    """Counts what one work queue does, under the name that it has in a real component."""

    measures: Measures
    name: str

    def __attrs_post_init__(self) -> None:
        """Tell the counter before anything is added."""
        self.measures.start_at_zero("workqueue_adds_total", name=self.name)

    def added(self) -> None:
        """Count a key that was added."""
        self.measures.count("workqueue_adds_total", name=self.name)

    def worked(self, seconds: float) -> None:
        """Enter how long a key was worked on."""
        self.measures.observe("workqueue_work_duration_seconds", seconds, name=self.name)


@attrs.frozen
class DriverMeasures:
    """Enters how long a kubelet is busy with claims, and its drivers with calls."""

    measures: Measures
    clock: Clock

    def timed(self, name: str, operation: Operation) -> Operation:
        """Return the operation, whose durations and failures are counted under a name."""

        async def measured(subject: Any) -> None:
            begun, failed = self.clock.monotonic(), "true"
            try:
                await operation(subject)
                failed = "false"
            finally:
                self.measures.observe(
                    "dra_operations_duration_seconds",
                    self.clock.monotonic() - begun,
                    operation_name=name,
                    is_error=failed,
                )

        return measured

    def called(self, driver: str, method: str, code: str, seconds: float) -> None:
        """Enter a gRPC call: its full method and how it ended, as gRPC names it in Go."""
        self.measures.observe(
            "dra_grpc_operations_duration_seconds",
            seconds,
            driver_name=driver,
            method_name=method,
            grpc_status_code=code,
        )
