"""How a cluster can be wrong in what its components tell about themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from conformance.reference.faults.seams import Saboteur

#: One sample, as a component would tell it; nothing leaves it out.
Change = Callable[[Any], Any]

_OPERATIONS = "dra_operations_duration_seconds"
_CALLS = "dra_grpc_operations_duration_seconds"
_IN_USE = "dra_resource_claims_in_use"
_CONTROLLERS = {
    "creates": "dynamic_resource_allocation_resourceclaim_creates_total",
    "claims": "dynamic_resource_allocation_resource_claims",
    "deletions": "device_taint_eviction_controller_pod_deletions_total",
    "latency": "device_taint_eviction_controller_pod_deletion_duration_seconds",
    "processed": "resourcepoolstatusrequest_controller_requests_processed_total",
}


def _each(change: Change) -> Saboteur:
    """Return a saboteur that tells each sample changed."""

    def saboteur(real: Any, measures: Any) -> list[Any]:
        changed = [change(one) for one in real(measures)]
        return [one for one in changed if one is not None]

    return saboteur


def _without(*families: str) -> Saboteur:
    return _each(lambda one: None if one.family in families else one)


def _frozen(family: str) -> Saboteur:
    """Return a saboteur that tells a metric that never moves."""
    return _each(lambda one: attrs.evolve(one, value=0.0) if one.family == family else one)


def _labelled(family: str, name: str, value: str) -> Saboteur:
    """Return a saboteur that gives a label of a metric another value."""

    def change(one: Any) -> Any:
        if one.family != family:
            return one
        rows = [(key, value if key == name else told) for key, told in one.labels]
        return attrs.evolve(one, labels=tuple(rows))

    return _each(change)


def _driver(one: Any) -> str:
    return dict(one.labels).get("driver_name", "")


def _any_alone(one: Any) -> Any:
    return None if one.family == _IN_USE and _driver(one) != "<any>" else one


def _not_any(one: Any) -> Any:
    return None if one.family == _IN_USE and _driver(one) == "<any>" else one


def _named_after_methods(one: Any) -> Any:
    if one.family != _OPERATIONS:
        return one
    rows = [(key, f"Node{told}" if key == "operation_name" else told) for key, told in one.labels]
    return attrs.evolve(one, labels=tuple(rows))


def _remembers(real: Any, measures: Any) -> list[Any]:
    """Go on telling of a claim for every driver that was called once."""
    told = list(real(measures))
    drivers = {_driver(one) for one in told if one.family == _CALLS}
    listed = [one for one in told if one.family == _IN_USE]
    gone = sorted(drivers - {_driver(one) for one in listed})
    found = [attrs.evolve(listed[0], labels=(("driver_name", one),), value=1.0) for one in gone]
    return [*told, *found]


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "metrics-without-the-claim-queue": _without(
        "workqueue_adds_total", "workqueue_depth", "workqueue_work_duration_seconds"
    ),
    "metrics-without-scheduling-times": _without(
        "scheduler_pod_scheduling_sli_duration_seconds",
        "scheduler_scheduling_algorithm_duration_seconds",
    ),
    "metrics-of-another-operation": _each(_named_after_methods),
    "metrics-without-calls-of-drivers": _without(_CALLS),
    "metrics-count-no-claim-in-use": _each(_any_alone),
    "metrics-remember-claims-in-use": _remembers,
    "metrics-know-drivers-alone": _each(_not_any),
    "metrics-know-no-error": _labelled(_OPERATIONS, "is_error", "false"),
    "metrics-know-no-status": _labelled(_CALLS, "grpc_status_code", "OK"),
    "metrics-without-generated-claims": _without(_CONTROLLERS["creates"]),
    "metrics-without-allocation": _labelled(_CONTROLLERS["claims"], "allocated", "false"),
    "metrics-without-evictions": _frozen(_CONTROLLERS["deletions"]),
    "metrics-without-times-of-evictions": _without(_CONTROLLERS["latency"]),
    "metrics-of-no-driver": _labelled(_CONTROLLERS["processed"], "driver_name", ""),
}
