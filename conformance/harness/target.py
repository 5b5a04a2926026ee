"""What every target offers: the protocols that checks are written against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import attrs

from conformance.harness.client import Api
from conformance.harness.targets.disturbance import Disturbance
from conformance.trust.trouble import Trouble

#: Where container runtimes look for CDI specifications unless they are told otherwise.
CDI = Path("/var/run/cdi")

#: Longest path of a Unix socket on Linux, in bytes; the last one of 108 ends it.
SOCKET_PATH = 107

#: A Pod of the suite can run on some node: there is a kubelet.
KUBELET = "kubelet"
#: The directories of some kubelet can be reached from here, for the driver double.
NODE_ACCESS = "node-access"
#: A kubelet can be restarted on request.
RESTART_KUBELET = "restart-kubelet"
#: The API server can be taken away for a while.
API_AWAY = "api-away"
#: What is done to the folders of a node disturbs nobody.
OWN_NODE = "own-node"

#: Components whose metrics can be asked for; that of a kubelet is followed by its node.
CONTROLLER_MANAGER, SCHEDULER, KUBELETS = "kube-controller-manager", "kube-scheduler", "kubelet/"

#: Nobody configured how long the scheduler waits for binding conditions.
DEFAULT_BINDING_TIMEOUT = "default-binding-timeout"

#: The API server gives a driver trouble on request.
DISTURBANCE = "disturbance"

#: Every capability and what it means, for messages and the documentation of ``needs``.
CAPABILITIES: Mapping[str, str] = {
    KUBELET: "a node with a kubelet that runs Pods",
    NODE_ACCESS: "a kubelet whose plugin, registrar and CDI directories this process can reach",
    RESTART_KUBELET: "a kubelet that can be restarted on request",
    DISTURBANCE: "an API server that gives a driver trouble on request",
    OWN_NODE: "a node whose folders nobody else uses meanwhile",
    API_AWAY: "an API server that can be taken away for a while",
    DEFAULT_BINDING_TIMEOUT: "a scheduler whose binding timeout was left at its default",
}


@attrs.frozen(kw_only=True)
class Variant:
    """How a check wants the cluster to differ from the one that was asked for."""

    gates: tuple[tuple[str, bool], ...] = ()
    #: ``DynamicResourcesArgs.bindingTimeout`` in seconds; None is whatever the cluster has.
    binding_timeout: float | None = None
    #: API versions that must be served though no server does by default, such as
    #: ``resource.k8s.io/v1beta1``.
    serves: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        gates: Mapping[str, bool] | None = None,
        binding_timeout: float | None = None,
        serves: Iterable[str] = (),
    ) -> Variant:
        """Return the variant with these gates and versions, in a canonical order."""
        return cls(
            gates=tuple(sorted((gates or {}).items())),
            binding_timeout=binding_timeout,
            serves=tuple(sorted(set(serves))),
        )


#: The cluster as it was asked for.
PLAIN = Variant()


def untold(_socket: str, *_numbers: int) -> None:
    """Tell nobody what a socket will or will not send: real time can't wait for it."""


@attrs.frozen(kw_only=True)
class NodeAccess:
    """The directories of one kubelet, as this process reaches them.

    A target with virtual time holds it for what comes from a socket. ``announce`` is called, from
    any thread, with a socket, the number of its streams, and of the messages that they are about
    to send, if only none on a new stream; ``hold_back`` with a socket and the number of calls that
    it will not answer for now, which is negative when it will.
    """

    name: str
    plugins_dir: Path
    registrar_dir: Path
    cdi_dir: Path
    announce: Callable[[str, int, int], None] = attrs.field(default=untold, eq=False)
    hold_back: Callable[[str, int], None] = attrs.field(default=untold, eq=False)

    @classmethod
    def below(cls, name: str, root: Path, cdi: Path = CDI) -> NodeAccess:
        """Return the directories of a kubelet whose ``--root-dir`` is ``root``."""
        return cls(
            name=name,
            plugins_dir=root / "plugins",
            registrar_dir=root / "plugins_registry",
            cdi_dir=cdi,
        )


@attrs.frozen(kw_only=True)
class Description:
    """What is known of a target before a check runs."""

    kind: str
    name: str
    server: str
    kubernetes_version: str
    gates: Mapping[str, bool]
    #: True where waiting costs nothing, since time is virtual.
    virtual: bool


class Time(Protocol):
    """The time of a target: real, or virtual and moved by waiting alone."""

    @property
    def virtual(self) -> bool:
        """Say whether waiting costs no real time."""
        ...

    def now(self) -> float:
        """Return seconds since an arbitrary start; never goes back."""
        ...

    def pass_(self, limit: float) -> None:
        """Let at most ``limit`` seconds pass, less when something happens before."""
        ...


class Act(Protocol):
    """One act on a resource that somebody did or tried."""

    @property
    def user(self) -> str:
        """Who it was."""
        ...

    @property
    def verb(self) -> str:
        """What was done."""
        ...

    @property
    def group(self) -> str:
        """The API group, empty for the core."""
        ...

    @property
    def resource(self) -> str:
        """The plural."""
        ...

    @property
    def subresource(self) -> str:
        """Empty where there is none."""
        ...

    @property
    def allowed(self) -> bool:
        """Whether it was."""
        ...


class Cluster(Protocol):
    """One cluster, in the variant that a check asked for."""

    @property
    def api(self) -> Api:
        """The client of its API server."""
        ...

    @property
    def time(self) -> Time:
        """Its time."""
        ...

    @property
    def version(self) -> str:
        """The Kubernetes minor version, such as ``1.37``."""
        ...

    @property
    def gates(self) -> Mapping[str, bool]:
        """What is known of its feature gates."""
        ...

    @property
    def binding_timeout(self) -> float | None:
        """The configured binding timeout in seconds, None where it is not known."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """Which of ``CAPABILITIES`` it has."""
        ...

    def nodes(self) -> Sequence[str]:
        """Return the names of the nodes that a Pod can be scheduled to."""
        ...

    def running_nodes(self) -> Sequence[str]:
        """Return the names of the nodes whose kubelet runs Pods."""
        ...

    def node_access(self) -> Sequence[NodeAccess]:
        """Return the kubelets whose directories this process reaches."""
        ...

    def restart_kubelet(self, name: str) -> None:
        """Restart the kubelet of a node; raises ``Unsupported``."""
        ...

    def metrics(self, component: str) -> str:
        """Return the metrics of a component as text; raises ``Unsupported``."""
        ...

    def disturbed(self, driver: str, trouble: Trouble) -> AbstractContextManager[Disturbance]:
        """Let a driver meet trouble at the API server for a while; raises ``Unsupported``."""
        ...

    def access_log(self) -> Sequence[Act]:
        """Return every act on a resource so far, the oldest first; raises ``Unsupported``."""
        ...

    def without_api(self) -> AbstractContextManager[None]:
        """Have nobody reach the API server for a while; raises ``Unsupported``."""
        ...


class Target(Protocol):
    """A family of clusters that can be asked."""

    def describe(self) -> Description:
        """Return what is known of the target; raises ``HarnessError``."""
        ...

    def cluster(self, variant: Variant) -> Cluster:
        """Return the cluster in this variant; raises ``Unsupported`` or ``HarnessError``."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...
