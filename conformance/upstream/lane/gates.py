"""The feature gates of a running cluster, as each of its components tells them.

A gate is a setting of a program, not of a cluster: API server, controller manager, scheduler
and kubelet each hold their own table, and a check may depend on any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from conformance.upstream.api import Api
from conformance.upstream.cluster import Cluster
from conformance.upstream.controlplane import ADMIN

#: The metric of k8s.io/component-base/metrics/prometheus/feature; the stage of GA is empty.
_SAMPLE = re.compile(
    r'^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} ([01])', re.MULTILINE
)


@frozen
class Gate:
    """One gate of one component: ``stage`` is alpha, beta, ga or deprecated."""

    stage: str
    is_on: bool


def parse(text: str) -> dict[str, Gate]:
    """Return the gates that a component's metrics tell, by name."""
    return {
        name: Gate(stage.lower() or "ga", value == "1")
        for name, stage, value in _SAMPLE.findall(text)
    }


def of(cluster: Cluster) -> Mapping[str, dict[str, Gate]]:
    """Return the gates of every component, by its name, or the node's name for a kubelet.

    Raises :class:`errors.UpstreamError` for a component that does not tell.
    """
    found = {"kube-apiserver": parse(cluster.api.text("/metrics"))}
    token = cluster.control.users[ADMIN].token
    for name, (server, certificate) in cluster.metrics().items():
        found[name] = parse(Api(server, token, certificate).text("/metrics"))
    return found
