"""Ask before a check runs whether the cluster serves what is judged, and lets us do it.

A cluster without the API, or credentials that may not create a namespace, would make every
check break for the same reason; it is said once instead, before anything is created.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from conformance.harness.client import Api
from conformance.harness.errors import TargetUnreachable
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

#: The API that is judged.
DRA = "resource.k8s.io"


@attrs.frozen(kw_only=True)
class Act:
    """Something that checks do to a kind of object."""

    verb: str
    plural: str
    group: str = ""

    def __str__(self) -> str:
        """Say it as an administrator would: ``create resourceclaims.resource.k8s.io``."""
        return f"{self.verb} {self.plural}{'.' if self.group else ''}{self.group}"


#: What every check does.
ALWAYS = (
    Act(verb="create", plural="namespaces"),
    Act(verb="delete", plural="namespaces"),
    Act(verb="list", plural="nodes"),
    Act(verb="create", plural="pods"),
    Act(verb="create", plural="resourceclaims", group=DRA),
)

#: What checks of a cluster do beside that, in names of their own.
CLUSTER = (
    Act(verb="create", plural="resourceclaimtemplates", group=DRA),
    Act(verb="create", plural="deviceclasses", group=DRA),
    Act(verb="create", plural="resourceslices", group=DRA),
)


#: What checks of authorization do beside that: they give others permissions of their own.
RIGHTS = (
    Act(verb="create", plural="roles", group="rbac.authorization.k8s.io"),
    Act(verb="create", plural="clusterroles", group="rbac.authorization.k8s.io"),
    Act(verb="create", plural="clusterrolebindings", group="rbac.authorization.k8s.io"),
    Act(verb="create", plural="serviceaccounts"),
    Act(verb="impersonate", plural="users"),
)


def demand(api: Api, acts: Sequence[Act]) -> None:
    """Raise ``TargetUnreachable`` where the API is not served, or an act is not allowed.

    A server that does not answer the question of permission is not asked again: checks
    will find out.
    """
    try:
        api.ask("GET", f"/apis/{DRA}/v1")
    except StatusError as error:
        raise TargetUnreachable(_without(api, error)) from error
    missing = [act for act in acts if not _allowed(api, act)]
    if missing:
        what = ", ".join(map(str, missing))
        raise TargetUnreachable(
            f"the credentials for {api.server} do not allow what checks do: {what}"
        )


def _without(api: Api, error: StatusError) -> str:
    if error.code != 404:
        return f"{api.server} refuses GET /apis/{DRA}/v1: {error}"
    return (
        f"{api.server} serves no {DRA}/v1: Dynamic Resource Allocation is off, "
        "or the cluster is older than Kubernetes 1.34"
    )


def _allowed(api: Api, act: Act) -> bool:
    attributes = {"verb": act.verb, "resource": act.plural, "group": act.group}
    try:
        found = reviewed(api, "SelfSubjectAccessReview", resourceAttributes=attributes)
    except StatusError:
        return True
    return found.get("allowed") is not False


def reviewed(api: Api, kind: str, **spec: Any) -> Object:
    """Return the status of an access review of this kind; raises ``StatusError``."""
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": kind, "spec": spec}
    answer = api.ask("POST", f"/apis/authorization.k8s.io/v1/{kind.lower()}s", review)
    return answer.get("status") or {}
