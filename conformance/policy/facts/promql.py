"""Queries over the metrics that tell about DRA: names and label values that nothing has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import re2
from attrs import frozen

from conformance.policy.world import Subject, items, part, text

_SELECTOR = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\s*\{([^}]*)\}|([a-zA-Z_:][a-zA-Z0-9_:]*)")
_MATCHER = re.compile(r"""([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*["']((?:[^"'\\]|\\.)*)["']""")
_HISTOGRAM = re.compile(r"_(bucket|sum|count)$")


@frozen(kw_only=True)
class Values:
    """A label, and the values that the components give it."""

    label: str
    values: tuple[str, ...]


#: What the kubelet and kube-controller-manager expose (Kubernetes 1.37.2), and which values
#: their labels have as far as claims are concerned.
_DRA = {
    "dra_operations_duration_seconds": Values(
        label="operation_name", values=("PrepareResources", "UnprepareResources")
    ),
    "dra_grpc_operations_duration_seconds": Values(
        label="method_name",
        values=(
            "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources",
            "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodeUnprepareResources",
            "/k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/NodePrepareResources",
            "/k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/NodeUnprepareResources",
        ),
    ),
}
#: Names that can only mean one of them; drivers have metrics of their own under ``dra_``.
_OPERATIONS = re.compile(r"dra_(grpc_)?operations?_")
#: The queue's name; other queues are none of ours.
_QUEUE = re.compile(r"resource.?claim", re.IGNORECASE)
_QUEUE_NAME = "resource_claim"


def promql_errors(subject: Subject) -> list[str]:
    """Return the selectors of a PrometheusRule that name no metric or value of DRA.

    Only metrics of the operations of DRA and work queues whose name speaks of claims are looked
    at. What a regular expression selects is tried on the values that there are.
    """
    return [
        trouble
        for group in items(part(subject.object, "spec").get("groups"))
        for rule in items(group.get("rules"))
        for trouble in _troubles(text(rule.get("expr")))
    ]


def _troubles(query: str) -> Iterator[str]:
    for found in _SELECTOR.finditer(query):
        name = _HISTOGRAM.sub("", found[1] or found[3])
        matchers = _MATCHER.findall(found[2] or "")
        if _OPERATIONS.match(name):
            yield from _of_dra(name, matchers)
        if name.startswith("workqueue_"):
            yield from _of_queue(matchers)


def _of_dra(name: str, matchers: list[tuple[str, str, str]]) -> Iterator[str]:
    known = _DRA.get(name)
    if known is None:
        yield f"no metric is called {name}"
        return
    for label, operator, value in matchers:
        if label == known.label and not _selects(operator, value, known.values):
            yield f"{name} has no {label}{operator}{value}"


def _of_queue(matchers: list[tuple[str, str, str]]) -> Iterator[str]:
    for label, operator, value in matchers:
        ours = label == "name" and _QUEUE.search(value)
        if ours and not _selects(operator, value, (_QUEUE_NAME,)):
            yield f"no work queue is called {value}"


def _selects(operator: str, value: str, values: tuple[str, ...]) -> bool:
    if operator == "=":
        return value in values
    if operator != "=~":
        return True
    # Prometheus' syntax is RE2's, and so is the time that a pattern can take.
    options: Any = re2.Options()
    options.log_errors = False
    try:
        return any(re2.fullmatch(value, one, options) for one in values)
    except (re2.error, UnicodeEncodeError):
        return False
