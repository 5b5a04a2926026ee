"""What one check has of a cluster: its own namespace, driver, class and pool."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from conformance.harness.apply import PREFIX, RUN_LABEL, Applied, render, resource_for
from conformance.harness.claims import Claims
from conformance.harness.client import JSON_PATCH, known
from conformance.harness.errors import Unsupported, Violation
from conformance.harness.exchange import Exchange
from conformance.harness.expect import same
from conformance.harness.pods import Pods
from conformance.harness.target import CAPABILITIES, KUBELET, Cluster
from conformance.harness.targets import ages
from conformance.harness.timeouts import Bounds
from conformance.harness.wait import Patience
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError

Found = TypeVar("Found")

NODES = known("", "v1", "nodes")
ACCOUNTS = known("", "v1", "serviceaccounts")

#: The taint of a world's own nodes; its value is the name of the world.
WORLD_TAINT = "dra-conformance/world"

#: The image of every container of the suite that really runs; it holds a POSIX shell.
IMAGE = "conformance.test/busybox:1"


@attrs.frozen(kw_only=True)
class WorldOptions:
    """What every world of a run has in common."""

    run: str
    bounds: Bounds
    image: str = IMAGE
    #: Values that every manifest may name besides the world's own.
    values: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Objects:
    """What one manifest created, found by kind and the last part of the name."""

    created: tuple[Object, ...]

    def of(self, kind: str) -> Object:
        """Return the first object of a kind; raises ``LookupError``."""
        for obj in self.created:
            if obj["kind"] == kind:
                return obj
        raise LookupError(f"the manifest holds no {kind}")

    def all(self, kind: str) -> list[Object]:
        """Return every object of a kind, in the order of the manifest."""
        return [obj for obj in self.created if obj["kind"] == kind]


class World:
    """One check's own piece of a cluster; a context manager that cleans up after itself."""

    def __init__(self, cluster: Cluster, options: WorldOptions, number: str) -> None:
        self.cluster = cluster
        self.api = cluster.api
        self.options = options
        self.name = f"{PREFIX}{options.run}-{number}"
        self.namespace = self.name
        self.driver = f"{self.name}.example"
        self.device_class = self.name
        self.pool = f"{self.name}-pool"
        self.patience = Patience(cluster.time, options.bounds)
        self.applied = Applied(cluster.api, run=options.run, namespace=self.namespace)
        self.pods = Pods(cluster.api, self.namespace, self.patience)
        self.claims = Claims(cluster.api, self.namespace, self.patience)
        self.started = cluster.time.now()
        self.troubles: list[str] = []
        #: By how many seconds the clock of the driver that is judged was moved ahead.
        self.hurried = 0
        #: What else can tell how things are, by name: read as evidence when a check fails.
        self.witnesses: dict[str, Callable[[], str]] = {}

    def open(self) -> World:
        """Create the namespace; raises ``HarnessError`` or ``StatusError``."""
        self.applied.create(
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {
                    "name": self.namespace,
                    "labels": {"pod-security.kubernetes.io/enforce": "privileged"},
                },
            }
        )
        if not self.cluster.time.virtual:
            self._await_account()
        return self

    def close(self) -> None:
        """Ask for the deletion of everything; what goes wrong is a note, never a verdict."""
        self.troubles += self.applied.delete_all()
        self.cluster.time.pass_(0)

    @property
    def values(self) -> dict[str, Any]:
        """The placeholders that every manifest may use."""
        return {
            "name": self.name,
            "namespace": self.namespace,
            "driver": self.driver,
            "class": self.device_class,
            "pool": self.pool,
            "image": self.options.image,
            **self.options.values,
        }

    @property
    def node(self) -> str:
        """A node that Pods can be scheduled to; raises ``Unsupported``."""
        return self.nodes(1)[0]

    def nodes(self, count: int) -> list[str]:
        """Return so many nodes that Pods can be scheduled to; raises ``Unsupported``."""
        names = list(self.cluster.nodes())
        if len(names) < count:
            raise Unsupported(
                f"the check needs {count} schedulable nodes, the target has {len(names)}"
            )
        return names[:count]

    def running_node(self) -> str:
        """Return a node whose kubelet runs Pods; raises ``Unsupported``."""
        names = list(self.cluster.running_nodes())
        if not names:
            raise Unsupported(f"the check needs {CAPABILITIES[KUBELET]}, the target has none")
        return names[0]

    def apply(self, topic: str, **values: Any) -> Objects:
        """Create the objects of a manifest; ``values`` fill its placeholders.

        Raises ``StatusError`` where the API server refuses one: a manifest of the suite is
        valid by the documents that it was taken from.
        """
        documents = render(topic, {**self.values, **values})
        return Objects(created=tuple(map(self.create, documents)))

    def create(self, obj: Object) -> Object:
        """Create one object as it is; raises ``StatusError``, ``Unsupported``."""
        ages.must_have(self.cluster.version, obj)
        return self.applied.create(obj)

    def document(self, topic: str, **values: Any) -> Object:
        """Return the first document of a manifest without creating it."""
        return render(topic, {**self.values, **values})[0]

    def read(self, obj: Object) -> Object:
        """Return the current state of an object; raises ``StatusError``."""
        resource = resource_for(obj)
        metadata = obj["metadata"]
        return self.api.get(resource, metadata["name"], metadata.get("namespace"))

    def patch(self, obj: Object, operations: list[Object], subresource: str = "") -> Object:
        """Change an object or its subresource by a JSON patch; raises ``StatusError``."""
        metadata = obj["metadata"]
        return self.api.patch(
            resource_for(obj),
            metadata["name"],
            operations,
            metadata.get("namespace"),
            subresource=subresource,
            content_type=JSON_PATCH,
        )

    def withdraw(self, obj: Object) -> None:
        """Delete an object of this world before its time; raises ``StatusError``."""
        metadata = obj["metadata"]
        self.api.delete(resource_for(obj), metadata["name"], metadata.get("namespace"))

    def note(self, exchange: Exchange) -> None:
        """Keep what was said to somebody beside the API server as evidence, with its time."""
        self.api.exchanges.add(attrs.evolve(exchange, at=self.api.clock()))

    def until(self, what: str, probe: Callable[[], Found], *, bound: str) -> Found:
        """Wait until the probe finds something (see ``wait``)."""
        return self.patience.until(what, probe, bound=bound)

    def stays(self, what: str, probe: Callable[[], Any], *, for_: str = "stays") -> None:
        """Watch that the probe goes on finding something (see ``wait``)."""
        self.patience.stays(what, probe, for_=for_)

    def own_node(
        self,
        suffix: str,
        labels: Mapping[str, str] | None = None,
        room: Mapping[str, str] | None = None,
    ) -> str:
        """Create a Node of our own without a kubelet and return its name.

        ``room`` is what it has besides CPU and memory, or more or less of them.

        It is Ready and schedulable, tainted so that only Pods of this world come to it, and
        goes when the world goes; the labels of a node that is not ours are never touched.
        """
        name = f"{self.name}-{suffix}"
        taint = {"key": WORLD_TAINT, "value": self.name, "effect": "NoSchedule"}
        self.create(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {
                    "name": name,
                    "labels": {"kubernetes.io/hostname": name, **(labels or {})},
                },
                "spec": {"taints": [taint]},
            }
        )
        has = {"cpu": "8", "memory": "16Gi", "pods": "110", **(room or {})}
        ready = {"type": "Ready", "status": "True", "reason": "DRAConformance", "message": "bare"}
        status = {"capacity": has, "allocatable": has, "conditions": [ready]}
        self.api.patch(NODES, name, {"status": status}, subresource="status")
        self._untaint(name, taint)
        return name

    def snapshot(self) -> list[Object]:
        """Return what stands in the world now: Pods, claims and slices, for a report."""
        found: list[Object] = []
        for group, version, plural in _SHOWN:
            resource = known(group, version, plural)
            namespace = self.namespace if resource.namespaced else None
            found += self._list(resource, namespace)
        return found

    def _list(self, resource: Resource, namespace: str | None) -> list[Object]:
        try:
            labels = "" if namespace else f"{RUN_LABEL}={self.options.run}"
            return self.api.list(resource, namespace, labels=labels)
        except StatusError:
            return []

    def _await_account(self) -> None:
        """Wait for the account that admission gives every Pod; some clusters do without."""
        with contextlib.suppress(Violation):
            self._account("default")
            self.until(
                "the namespace has its default ServiceAccount",
                lambda: self._account(self.namespace),
                bound="object-served",
            )

    def _account(self, namespace: str) -> Object:
        try:
            return self.api.get(ACCOUNTS, "default", namespace)
        except StatusError as error:
            raise Violation("a ServiceAccount", observed=str(error)) from error

    def _untaint(self, name: str, taint: Object) -> None:
        """Take away the taint that admission puts on a node which was not Ready when created."""

        def clean() -> Object:
            node = self.api.get(NODES, name)
            if node["spec"].get("taints") != [taint]:
                self.api.patch(NODES, name, {"spec": {"taints": [taint]}})
            return same(node["spec"].get("taints"), [taint], path="spec.taints")

        self.until("only the world's own taint is on its node", clean, bound="object-served")


#: What a snapshot holds.
_SHOWN = (
    ("", "v1", "pods"),
    ("resource.k8s.io", "v1", "resourceclaims"),
    ("resource.k8s.io", "v1", "resourceslices"),
)
