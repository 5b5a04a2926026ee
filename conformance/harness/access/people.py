"""ServiceAccounts with the rights of one check, and nodes, who ask the same server.

An account gets a token by a TokenRequest, as the kubelet gets one for a Pod; a node is acted as
with the administrator's credentials, since nobody hands out those of a kubelet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from conformance.harness import expect
from conformance.harness.access.permission import reviewed
from conformance.harness.client import Api
from conformance.harness.world import World
from conformance.kube.objects import Object

_GROUP = "rbac.authorization.k8s.io"
_AUTHENTICATION = "/apis/authentication.k8s.io/v1"

Rule = dict[str, Any]


def rule(resource: str, *verbs: str, group: str = "resource.k8s.io", **more: Any) -> Rule:
    """Return a rule of RBAC for one resource."""
    return {"apiGroups": [group], "resources": [resource], "verbs": list(verbs), **more}


@attrs.frozen
class Account:
    """One ServiceAccount and how it asks; ``name`` is that of the user."""

    name: str
    api: Api


@attrs.define
class People:
    """Everybody who acts in one check beside the administrator."""

    world: World
    _opened: list[Api] = attrs.field(factory=list)

    def account(
        self,
        *rules: Rule,
        everywhere: tuple[Rule, ...] = (),
        node: str = "",
        pod: str = "",
        name: str = "somebody",
    ) -> Account:
        """Create a ServiceAccount of the world with rules, and return it once they count.

        ``rules`` hold in the world's namespace, ``everywhere`` in the whole cluster; the token
        is bound to a node or Pod where one is named. Raises ``StatusError``, ``Violation``.
        """
        world = self.world
        if not pod:
            # A Pod's account is there before the Pod.
            world.create(_object("ServiceAccount", "v1", name))
        if rules:
            self.grant(name, *rules)
        if everywhere:
            self.grant(name, *everywhere, everywhere=True)
        api = self.client(name, node=node, pod=pod)
        self._await(api, rules, world.namespace)
        self._await(api, everywhere, "")
        return Account(f"system:serviceaccount:{world.namespace}:{name}", api)

    def grant(self, name: str, *rules: Rule, everywhere: bool = False) -> None:
        """Give an account of the world further rules."""
        scope = "Cluster" if everywhere else ""
        role = f"{self.world.name}-{name}"
        version = f"{_GROUP}/v1"
        self.world.create({**_object(f"{scope}Role", version, role), "rules": list(rules)})
        self._bind(f"{scope}RoleBinding", f"{scope}Role", role, name)

    def appoint(self, name: str, role: str) -> Account:
        """Create an account that has a cluster role of the cluster's own in the namespace."""
        self.world.create(_object("ServiceAccount", "v1", name))
        self._bind("RoleBinding", "ClusterRole", role, name)
        api = self.client(name)
        self._await(api, (rule("resourceclaims", "get"),), self.world.namespace)
        return Account(f"system:serviceaccount:{self.world.namespace}:{name}", api)

    def client(self, name: str, *, node: str = "", pod: str = "") -> Api:
        """Return a client with a fresh token of an account."""
        return self._open(self.world.api.with_token(self.token(name, node=node, pod=pod)))

    def token(self, name: str, *, node: str = "", pod: str = "", **spec: Any) -> str:
        """Ask for a token of an account, bound to a node or Pod where one is named."""
        bound = {"kind": "Pod", "name": pod} if pod else {"kind": "Node", "name": node}
        if node or pod:
            spec["boundObjectRef"] = {"apiVersion": "v1", **bound}
        return self.world.api.token_of(self.world.namespace, name, spec)

    def node(self, name: str) -> Api:
        """Return a client that acts as the kubelet of a node."""
        return self._open(self.world.api.acting_as(f"system:node:{name}", "system:nodes"))

    def close(self) -> None:
        """Close every connection."""
        for api in self._opened:
            api.close()

    def _open(self, api: Api) -> Api:
        self._opened.append(api)
        return api

    def _bind(self, kind: str, role_kind: str, role: str, account: str) -> None:
        subject = {"kind": "ServiceAccount", "name": account, "namespace": self.world.namespace}
        reference = {"apiGroup": _GROUP, "kind": role_kind, "name": role}
        name = f"{self.world.name}-{account}"
        head = _object(kind, f"{_GROUP}/v1", name)
        self.world.create({**head, "subjects": [subject], "roleRef": reference})

    def _await(self, api: Api, rules: tuple[Rule, ...], namespace: str) -> None:
        for one in rules:
            self.world.until(
                f"the rule for {one['resources'][0]} counts",
                _granted(api, one, namespace),
                bound="object-served",
            )


def whoami(api: Api) -> Object:
    """Return who the server says that somebody is."""
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    answer = api.ask("POST", f"{_AUTHENTICATION}/selfsubjectreviews", review)
    return answer["status"]["userInfo"]


def may(api: Api, attributes: Object) -> bool:
    """Return what the server says of the asker's own permission."""
    return bool(reviewed(api, "SelfSubjectAccessReview", resourceAttributes=attributes)["allowed"])


def review(api: Api, user: str, attributes: Object) -> bool:
    """Return what the server says, when we ask it, of somebody else's permission."""
    found = reviewed(api, "SubjectAccessReview", user=user, resourceAttributes=attributes)
    return bool(found["allowed"])


def entitled(api: Api, user: str, one: Rule) -> None:
    """Expect that the server lets somebody else do what a rule names, in every namespace.

    Raises ``Violation``.
    """
    for verb in one["verbs"]:
        attributes = {"verb": verb, **_subject(one)}
        expect.that(
            review(api, user, attributes),
            f"{user} may {verb} {one['resources'][0]}",
            observed="it is not allowed",
        )


def _granted(api: Api, one: Rule, namespace: str) -> Callable[[], bool]:
    attributes: Object = {
        "verb": one["verbs"][0],
        **_subject(one),
        "namespace": namespace,
        "name": (one.get("resourceNames") or [""])[0],
    }

    def granted() -> bool:
        expect.that(may(api, attributes), "the permission", observed="none yet")
        return True

    return granted


def _subject(one: Rule) -> Object:
    """Return what a rule is about, as an access review names it."""
    resource, _, subresource = one["resources"][0].partition("/")
    return {"group": one["apiGroups"][0], "resource": resource, "subresource": subresource}


def _object(kind: str, version: str, name: str) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}}
