"""The metrics that the reference tells: but for its driver's, as 1.37.2 names and cuts them."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class Family:
    """One metric: its name, its kind, and the upper bounds of a histogram in seconds."""

    name: str
    kind: str
    buckets: tuple[float, ...] = ()


def _doubling(start: float, count: int) -> tuple[float, ...]:
    return tuple(start * 2**index for index in range(count))


def _spread(first: float, last: float, count: int) -> tuple[float, ...]:
    """Return bounds from first to last whose ratios are alike."""
    ratio = (last / first) ** (1 / (count - 1))
    return tuple(first * ratio**index for index in range(count))


#: What a driver may take, in seconds.
_DRA = _spread(0.1, 40.0, 15)
_QUEUE = tuple(10.0**power for power in range(-8, 2))
_EVICTION = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0, 120.0, 180.0, 240.0)

_ROWS = (
    # kubelet
    Family(name="dra_operations_duration_seconds", kind="histogram", buckets=_DRA),
    Family(name="dra_grpc_operations_duration_seconds", kind="histogram", buckets=_DRA),
    Family(name="dra_resource_claims_in_use", kind="gauge"),
    # kube-controller-manager
    Family(name="workqueue_adds_total", kind="counter"),
    Family(name="workqueue_depth", kind="gauge"),
    Family(name="workqueue_work_duration_seconds", kind="histogram", buckets=_QUEUE),
    Family(name="dynamic_resource_allocation_resourceclaim_creates_total", kind="counter"),
    Family(name="dynamic_resource_allocation_resource_claims", kind="gauge"),
    Family(name="device_taint_eviction_controller_pod_deletions_total", kind="counter"),
    Family(
        name="device_taint_eviction_controller_pod_deletion_duration_seconds",
        kind="histogram",
        buckets=_EVICTION,
    ),
    Family(name="resourcepoolstatusrequest_controller_requests_processed_total", kind="counter"),
    # kube-scheduler
    Family(
        name="scheduler_pod_scheduling_sli_duration_seconds",
        kind="histogram",
        buckets=_doubling(0.01, 20),
    ),
    Family(
        name="scheduler_scheduling_algorithm_duration_seconds",
        kind="histogram",
        buckets=_doubling(0.001, 15),
    ),
    # the bundled driver
    Family(name="example_driver_claim_operations_total", kind="counter"),
    Family(
        name="example_driver_claim_operation_duration_seconds",
        kind="histogram",
        buckets=_doubling(0.001, 10),
    ),
    Family(name="example_driver_prepared_claims", kind="gauge"),
)

#: Every family by its name.
FAMILIES: Mapping[str, Family] = {row.name: row for row in _ROWS}
