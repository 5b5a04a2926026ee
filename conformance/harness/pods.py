"""The Pods of one world: where they are, whether they run, and what they wrote."""

from __future__ import annotations

from typing import Any

import attrs

from conformance.harness import expect
from conformance.harness.client import Api, known
from conformance.harness.errors import Violation
from conformance.harness.wait import Patience
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

PODS = known("", "v1", "pods")


@attrs.frozen
class Pods:
    """The Pods of one namespace."""

    api: Api
    namespace: str
    patience: Patience

    def get(self, name: str) -> Object:
        """Return a Pod; raises ``StatusError``."""
        return self.api.get(PODS, name, self.namespace)

    def scheduled(self, name: str, *, bound: str = "pod-scheduled") -> Object:
        """Wait until a Pod is bound to a node, and return it."""
        return self.patience.until(
            f"Pod {name} is bound to a node", lambda: self._bound(name), bound=bound
        )

    def stays_unscheduled(self, name: str, *, for_: str = "stays") -> None:
        """Watch that a Pod is not bound to a node."""
        self.patience.stays(
            f"Pod {name} is not bound to a node",
            lambda: expect.absent(self.get(name), "spec.nodeName"),
            for_=for_,
        )

    def unschedulable(self, name: str, *, bound: str = "pod-scheduled") -> Object:
        """Wait until the scheduler says that it cannot place a Pod, and return the Pod."""
        return self.patience.until(
            f"Pod {name} is reported as not schedulable",
            lambda: self._with_condition(name, "PodScheduled", "False"),
            bound=bound,
        )

    def running(self, name: str, *, bound: str = "pod-running") -> Object:
        """Wait until a Pod runs, and return it."""
        return self.patience.until(
            f"Pod {name} runs",
            lambda: expect.field(self._still_there(name), "status.phase", "Running"),
            bound=bound,
        )

    def stays_pending(self, name: str, *, for_: str = "stays") -> None:
        """Watch that no container of a Pod starts."""
        self.patience.stays(
            f"no container of Pod {name} starts", lambda: self._pending(name), for_=for_
        )

    def stays_unfinished(self, name: str, *, for_: str = "stays") -> None:
        """Watch that a Pod is there and not marked as ended."""
        self.patience.stays(
            f"Pod {name} is there and has not ended", lambda: self._unfinished(name), for_=for_
        )

    def bind(self, name: str, node: str) -> None:
        """Bind a Pod to a node, as a scheduler does; raises ``StatusError``."""
        body = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": name, "namespace": self.namespace},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        self.api.ask("POST", f"/api/v1/namespaces/{self.namespace}/pods/{name}/binding", body)

    def patch_status(self, name: str, **fields: Any) -> Object:
        """Write fields of a Pod's status, as a kubelet or controller does."""
        body = {"status": fields}
        return self.api.patch(PODS, name, body, self.namespace, subresource="status")

    def delete(self, name: str, *, grace: int | None = None) -> None:
        """Ask for the deletion of a Pod; raises ``StatusError``."""
        self.api.delete(PODS, name, self.namespace, grace=grace)

    def gone(self, name: str, *, bound: str = "pod-gone") -> None:
        """Wait until a Pod is gone."""
        self.patience.until(f"Pod {name} is gone", lambda: self._gone(name), bound=bound)

    def log(self, name: str, container: str = "c") -> str:
        """Return what a container wrote so far; raises ``StatusError``."""
        return self.api.log(self.namespace, name, container)

    def _bound(self, name: str) -> Object:
        pod = self.get(name)
        expect.present(pod, "spec.nodeName")
        return pod

    def _with_condition(self, name: str, kind: str, status: str) -> Object:
        pod = self._still_there(name)
        expect.condition(pod, kind, status)
        return pod

    def _still_there(self, name: str) -> Object:
        """Return a Pod that nobody should have deleted; raises ``Violation``."""
        try:
            return self.get(name)
        except StatusError as error:
            if error.code != expect.NOT_FOUND:
                raise
            raise Violation(f"Pod {name}", observed="no such Pod") from error

    def _pending(self, name: str) -> Object:
        pod = self.get(name)
        expect.field(pod, "status.phase", "Pending")
        rows: list[Object] = pod["status"].get("containerStatuses") or []
        started: list[Any] = [row for row in rows if set(row.get("state") or {}) - {"waiting"}]
        expect.same(started, [], path="status.containerStatuses")
        return pod

    def _unfinished(self, name: str) -> Object:
        try:
            pod = self.get(name)
        except StatusError as error:
            if error.code == 404:
                raise Violation("the Pod", path="metadata.name", observed=str(error)) from error
            raise
        phase = pod["status"].get("phase")
        expect.that(phase in {"Pending", "Running"}, "Running", path="status.phase", observed=phase)
        return pod

    def _gone(self, name: str) -> bool:
        try:
            pod = self.get(name)
        except StatusError as error:
            if error.code == 404:
                return True
            raise
        raise Violation("no Pod", path="metadata.name", observed=pod["status"].get("phase"))
