"""What is known of somebody who asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from conformance.kube.objects import Object

MASTERS = "system:masters"
AUTHENTICATED = "system:authenticated"
UNAUTHENTICATED = "system:unauthenticated"
ACCOUNTS = "system:serviceaccounts"

#: Before the namespace and name of a ServiceAccount in the name of its user.
ACCOUNT_PREFIX = "system:serviceaccount:"

NODE_PREFIX = "system:node:"
NODES = "system:nodes"

#: Extra attributes of a token that is bound to a Pod or a Node.
NODE_NAME = "authentication.kubernetes.io/node-name"


@attrs.frozen(kw_only=True)
class User:
    """Somebody who asks, as ``UserInfo`` of authentication.k8s.io has it."""

    name: str
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])

    @property
    def node(self) -> str:
        """The node whose kubelet this is, empty for anybody else."""
        is_node = self.name.startswith(NODE_PREFIX) and NODES in self.groups
        return self.name.removeprefix(NODE_PREFIX) if is_node else ""

    def to_object(self) -> Object:
        """Return the ``UserInfo``."""
        info: Object = {"username": self.name}
        if self.uid:
            info["uid"] = self.uid
        if self.groups:
            info["groups"] = list(self.groups)
        if self.extra:
            info["extra"] = {key: list(values) for key, values in self.extra.items()}
        return info


ANONYMOUS = User(name="system:anonymous", groups=(UNAUTHENTICATED,))


def administrator(name: str) -> User:
    """Return a user who may do everything."""
    return User(name=name, groups=(MASTERS, AUTHENTICATED))


_NOBODY = administrator(ANONYMOUS.name)


@attrs.frozen(kw_only=True)
class Known:
    """Who is known from the beginning: whose bearer tokens which are, and who has none.

    ``nobody`` asks without credentials where there is no TLS. By default that is an
    administrator: client-go sends no credentials then, whatever its kubeconfig says.
    """

    tokens: Mapping[str, User]
    nobody: User = _NOBODY


def account(
    namespace: str, name: str, uid: str = "", extra: Mapping[str, tuple[str, ...]] | None = None
) -> User:
    """Return the user that a ServiceAccount is."""
    return User(
        name=f"{ACCOUNT_PREFIX}{namespace}:{name}",
        uid=uid,
        groups=(*account_groups(namespace), AUTHENTICATED),
        extra=dict(extra or {}),
    )


def account_groups(namespace: str) -> tuple[str, str]:
    """Return the groups of every ServiceAccount in a namespace."""
    return ACCOUNTS, f"{ACCOUNTS}:{namespace}"


def account_of(name: str) -> tuple[str, str] | None:
    """Return namespace and name of the ServiceAccount that a user is, if it is one."""
    namespace, _, account_name = name.removeprefix(ACCOUNT_PREFIX).partition(":")
    is_account = name.startswith(ACCOUNT_PREFIX) and namespace and account_name
    return (namespace, account_name) if is_account else None


def with_group(groups: Iterable[str], added: str) -> tuple[str, ...]:
    """Return the groups with one more, each once."""
    return tuple(dict.fromkeys([*groups, added]))
