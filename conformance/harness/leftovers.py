"""What a crashed run left behind: found by label and prefix, and deleted on request."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conformance.harness.apply import LENT_LABEL, PREFIX, RUN_LABEL
from conformance.harness.client import Api, known
from conformance.harness.errors import HarnessError, TargetUnreachable
from conformance.kube.objects import Object
from conformance.kube.resources import Resource
from conformance.kube.status import StatusError

#: The kinds that the suite creates, in the order in which they are deleted: what holds
#: others back goes first, the namespace and the node last.
_KINDS = (
    ("", "v1", "pods"),
    ("resource.k8s.io", "v1", "resourceclaims"),
    ("resource.k8s.io", "v1", "resourceclaimtemplates"),
    ("resource.k8s.io", "v1alpha3", "resourcepoolstatusrequests"),
    ("resource.k8s.io", "v1", "resourceslices"),
    ("resource.k8s.io", "v1", "deviceclasses"),
    ("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicybindings"),
    ("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicies"),
    ("admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings"),
    ("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies"),
    ("rbac.authorization.k8s.io", "v1", "clusterrolebindings"),
    ("rbac.authorization.k8s.io", "v1", "clusterroles"),
    ("rbac.authorization.k8s.io", "v1", "rolebindings"),
    ("rbac.authorization.k8s.io", "v1", "roles"),
    ("scheduling.k8s.io", "v1", "priorityclasses"),
    ("", "v1", "serviceaccounts"),
    ("", "v1", "namespaces"),
    ("", "v1", "nodes"),
)


@attrs.frozen(kw_only=True)
class Leftover:
    """One object that a run created and did not delete."""

    resource: Resource
    name: str
    namespace: str | None
    run: str
    #: True where the deletion has been asked for already.
    leaving: bool

    def __str__(self) -> str:
        """Name the object as kubectl does."""
        where = f" in {self.namespace}" if self.namespace else ""
        return f"{self.resource.kind.lower()}/{self.name}{where}"


def find_all(api: Api, run: str = "") -> list[Leftover]:
    """Return what runs left behind, or what one run did; in the order of deletion.

    Both must fit: the label that every object of a run carries, and the prefix of its name
    or namespace. What a run created for a driver that it started has a label of its own, and the
    name that the driver's vendor gave it. Raises ``HarnessError`` where we may not look.
    """
    return [leftover for kind in _KINDS for leftover in _of(api, known(*kind), run)]


def delete(api: Api, leftovers: list[Leftover]) -> list[str]:
    """Ask for the deletion of each; return a sentence for each that could not be asked for."""
    troubles: list[str] = []
    for one in leftovers:
        grace = 0 if one.resource.kind == "Pod" else None
        try:
            api.delete(one.resource, one.name, one.namespace, grace=grace)
        except StatusError as error:
            if error.code != 404:
                troubles.append(f"{one}: {error}")
        except HarnessError as error:
            troubles.append(f"{one}: {error}")
    return troubles


def _of(api: Api, resource: Resource, run: str) -> Iterator[Leftover]:
    for label in (RUN_LABEL, LENT_LABEL):
        try:
            objects = api.list(resource, labels=f"{label}={run}" if run else label)
        except StatusError as error:
            if error.code == 404:
                return
            raise TargetUnreachable(f"{resource.plural} cannot be listed: {error}") from error
        for one in objects:
            if label == LENT_LABEL or _is_named_as_ours(resource, one):
                yield _leftover(resource, one, one["metadata"]["labels"][label])


def _is_named_as_ours(resource: Resource, obj: Object) -> bool:
    metadata = obj["metadata"]
    scope = metadata["namespace"] if resource.namespaced else metadata["name"]
    return str(scope).startswith(PREFIX)


def _leftover(resource: Resource, obj: Object, run: str) -> Leftover:
    metadata = obj["metadata"]
    return Leftover(
        resource=resource,
        name=metadata["name"],
        namespace=metadata.get("namespace"),
        run=run,
        leaving="deletionTimestamp" in metadata,
    )
