"""The names of all facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from conformance.policy.facts import (
    components,
    devices,
    folders,
    gates,
    permissions,
    platforms,
    plugins,
    promql,
    references,
    workloads,
)
from conformance.policy.world import Subject

Fact: TypeAlias = Callable[[Subject], Any]

#: What ``facts.<name>`` is.
FACTS: Mapping[str, Fact] = {
    "absent": references.absent,
    "absentClasses": references.absent_classes,
    "adminAccess": references.admin_access,
    "allows": permissions.allows,
    "args": components.args,
    "autoMode": platforms.auto_mode,
    "brokenClaims": references.broken_claims,
    "clusterAutoscaler": platforms.cluster_autoscaler,
    "component": components.component,
    "containers": workloads.containers,
    "deadPorts": folders.dead_ports,
    "deviceResources": plugins.device_resources,
    "devices": devices.devices,
    "deviceTotal": references.device_total,
    "drainedEarly": folders.drained_early,
    "drivers": folders.drivers,
    "folders": folders.folders,
    "gates": components.gates,
    "gatesApart": gates.gates_apart,
    "gatesUnmet": gates.gates_unmet,
    "grants": workloads.grants,
    "guarded": permissions.guarded,
    "holders": permissions.holders,
    "hostMounts": folders.host_mounts,
    "hostPorts": folders.host_ports,
    "isDriver": workloads.is_driver,
    "karpenter": platforms.karpenter,
    "managerFlags": gates.manager_flags,
    "pod": workloads.pod,
    "podClaims": references.pod_claims,
    "podUid": folders.pod_uid,
    "promqlErrors": promql.promql_errors,
    "published": folders.published,
    "requests": references.requests,
    "requestsMissing": references.requests_missing,
    "runtime": platforms.runtime,
    "selectorErrors": devices.selector_errors,
    "socketLength": folders.socket_length,
    "subjects": workloads.subjects,
    "surges": folders.surges,
    "together": permissions.together,
    "twice": plugins.twice,
    "unsatisfiable": devices.unsatisfiable,
    "untolerated": folders.untolerated,
    "unusedClaims": references.unused_claims,
    "usesClaims": references.uses_claims,
    "wholeDevices": references.whole_devices,
    "wildcards": permissions.wildcards,
    "withoutDomain": plugins.without_domain,
}
