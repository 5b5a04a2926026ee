"""What a check may know of the driver that it judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import attrs

from conformance.harness.errors import Violation
from conformance.harness.process.child import Departure
from conformance.harness.process.hook import Hook
from conformance.harness.world import World
from conformance.kube.objects import Object

#: What a driver may have beyond the core, and what a check that needs it is told.
FEATURES: Mapping[str, str] = {
    "metadata": "device metadata files (KEP-5304)",
    "health": "the DRAResourceHealth service",
    "liveness": "the gRPC health service, on {healthcheck_port} or HEALTHCHECK_PORT",
    "readiness": "the service readiness of its gRPC health service, on the same port",
    "metrics": "metrics in a format of Prometheus, on {metrics_port} or METRICS_PORT",
    "taints": "taints on devices that fail, or their withdrawal",
    "rolling-update": "two instances at one time, told apart by {pod_uid} or POD_UID",
}


#: Features whose checks probe the driver.
PROBED = frozenset({"liveness", "readiness"})

#: What a driver may publish, for checks of those that do.
PUBLISHED: Mapping[str, str] = {
    "binding-conditions": "devices with binding conditions, which it reports",
    "partitions": "partitionable devices whose type an attribute of its slices names",
}


#: Seconds that a driver has to end in, as a Pod with the default grace period.
GRACE = 30.0


@attrs.frozen(kw_only=True)
class Wanted:
    """How a check wants the driver to be; the default is the driver as it is.

    ``features`` must be among those of the driver. Everything else is what only the bundled
    driver can be told to be; on any other driver such a check is unsupported.
    """

    features: tuple[str, ...] = ()
    #: Features that must be off.
    without: tuple[str, ...] = ()
    #: Versions of the metadata API, in the order of the stream; None as the driver is.
    metadata_versions: tuple[str, ...] | None = None
    #: Seconds after preparing until attributes and network data are added; None at once.
    deferred_seconds: float | None = None
    #: What it should publish where it can be told (see ``PUBLISHED``); a driver that can't be
    #: told publishes what it does, and the check looks whether that can be judged.
    publishes: str = ""
    #: Entries of a ResourceSlice's devices; None for the driver's own.
    devices: tuple[Object, ...] | None = None
    #: Network data by device name, for metadata.
    network_data: Mapping[str, Object] = attrs.field(factory=dict)
    #: Attributes by name that are known at run time only.
    extra_attributes: Mapping[str, Object] = attrs.field(factory=dict)

    @property
    def is_plain(self) -> bool:
        """Return whether nothing is asked of the driver but its features."""
        return attrs.evolve(self, features=(), without=(), publishes="") == Wanted()


class Refused(Violation):
    """The driver would not start as it was configured."""


class Instance(Protocol):
    """Another instance of the driver on the same node."""

    def kill(self) -> None:
        """End it at once, as by SIGKILL."""
        ...


#: The placeholder by which a command says that its program can be configured for each check.
CONFIGURATION = "{configuration}"


class Rotation(Protocol):
    """A token of a driver that another has taken the place of, in the file where it finds it."""

    @property
    def used(self) -> int:
        """How often somebody has asked with the new one."""
        ...

    @property
    def refused(self) -> int:
        """How often somebody has asked with the old one since it has ended."""
        ...

    def end(self) -> None:
        """Let the old one be refused from now on; until then both count."""
        ...


class Driver(Protocol):
    """A running driver that is judged."""

    @property
    def name(self) -> str:
        """Its driver name, as in ResourceSlices."""
        ...

    @property
    def device_class(self) -> str:
        """The DeviceClass that selects its devices."""
        ...

    @property
    def account(self) -> str:
        """The user as whom it acts at the API server; empty where that is nobody known."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Opaque parameters that it takes, as its vendor tells; empty where nobody does."""
        ...

    @property
    def node(self) -> str | None:
        """The node on which it runs, None where it may be on several."""
        ...

    @property
    def process(self) -> int | None:
        """The process that it is while it runs, None where it is not one of ours."""
        ...

    @property
    def age(self) -> float | None:
        """The seconds since it was started, on its clock; None for no process of ours."""
        ...

    def hurry(self, seconds: int) -> bool:
        """Let so much time pass for it alone, in no time; say whether that is possible.

        Its monotonic clock goes ahead, and with it its ``age``; its wall clock stays.
        """
        ...

    @property
    def health_address(self) -> str:
        """Where it answers probes, as gRPC names it (``127.0.0.1:20000``, ``unix:/path``).

        Empty where that is not known.
        """
        ...

    @property
    def metrics_url(self) -> str:
        """Where it tells its metrics (``http://127.0.0.1:20001/metrics``).

        Empty where that is not known.
        """
        ...

    @property
    def broken(self) -> dict[str, Violation]:
        """The steps (see ``life``) that it failed to take; not waited for again."""
        ...

    @property
    def reached(self) -> set[str]:
        """The steps that it has taken before, in this run or check."""
        ...

    def ended(self) -> str:
        """Return why nothing more can be expected of it; empty while it may answer."""
        ...

    def set_health(self, device: str, health: str, message: str = "") -> None:
        """Make a device fail or recover; raises ``Unsupported``."""
        ...

    def change_inventory(self) -> None:
        """Let a device of the driver come or go while it runs; raises ``Unsupported``."""
        ...

    def take_away(self, device: str) -> None:
        """Let a device be gone from its node while the driver runs; raises ``Unsupported``."""
        ...

    def bring_back(self, device: str) -> None:
        """Let a device be there again that was taken away; raises ``Unsupported``."""
        ...

    def use(self, devices: Sequence[str], edits: Sequence[Object]) -> str:
        """Use devices (pool/name) as a container with these CDI edits would.

        Returns why they can't be used, empty where they can; raises ``Unsupported``.
        """
        ...

    def terminate(self) -> Departure:
        """Let the driver end as by SIGTERM, within ``GRACE``; raises ``Unsupported``.

        A driver that has not ended by then is killed, as Pods are.
        """
        ...

    def kill(self) -> None:
        """End the driver at once, as by SIGKILL; raises ``Unsupported`` where it is not ours."""
        ...

    def start(self) -> None:
        """Start it again after ``terminate`` or ``kill``; raises ``Unsupported``."""
        ...

    def pause(self) -> None:
        """Let nothing more come of the driver, as by SIGSTOP; raises ``Unsupported``."""
        ...

    def resume(self) -> None:
        """Let it go on after ``pause``; raises ``Unsupported``."""
        ...

    def second(self) -> AbstractContextManager[Instance]:
        """Start another instance beside it, as a rolling update does; raises ``Unsupported``."""
        ...

    def hampered(self, trouble: int) -> AbstractContextManager[None]:
        """Let the folder of its CDI specs take no file for a while; raises ``Unsupported``.

        It is full (``errno.ENOSPC``), or read-only (``errno.EROFS``) and gives none away either.
        """
        ...

    def shifted(self, seconds: int) -> AbstractContextManager[None]:
        """Have it find, wherever it is started meanwhile, a machine up for so much longer.

        That is what its monotonic clock and the boot time say; raises ``Unsupported``.
        """
        ...

    def set_wall(self, seconds: int) -> None:
        """Let its wall clock be so many seconds ahead of the machine's; raises ``Unsupported``.

        Negative: behind. It stays so until it is set anew, or the driver started again.
        """
        ...

    def rotate_token(self) -> Rotation:
        """Replace the token by which it is known to the API server; raises ``Unsupported``."""
        ...

    def must_be_ours(self, act: str) -> None:
        """Raise ``Unsupported`` for a driver that serves others: a check must not do ``act``."""
        ...

    def story(self) -> str:
        """Return how the driver is and what it said last, as evidence."""
        ...


class DriverHost(Protocol):
    """Whoever provides the driver of a target."""

    def drive(self, world: World, wanted: Wanted) -> AbstractContextManager[Driver]:
        """Provide the driver for one check; raises ``Unsupported``.

        The world's Pods are gone before a driver that was started for the check is ended.
        """
        ...


@attrs.frozen(kw_only=True)
class DriverOptions:
    """How a person describes the driver that is judged: the inputs of KEP-5970, and ours."""

    name: str = ""
    device_class: str = ""
    #: How to start it, with placeholders; None: it is installed in the cluster.
    command: str | None = None
    #: A file with the class, where it is more than "every device of the driver".
    class_file: Path | None = None
    features: tuple[str, ...] = ()
    #: Where its ServiceAccount, roles and bindings stand; None: it acts as an administrator.
    manifests: Path | None = None
    #: An example of opaque parameters that it takes, from its vendor.
    parameters: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    #: As whom it acts; empty for an administrator.
    account: str = ""
    #: Wait for it as long as it takes, also where its clock could be moved instead.
    patient: bool = False
    #: Which copy it is of several that run at one time, each on a control plane of its own.
    instance: int = 0
    #: Further variables of its environment.
    environment: Mapping[str, str] = attrs.field(factory=dict[str, str])
    #: What its vendor lets us do to its hardware, by name (see ``process.hook``).
    hooks: Mapping[str, Hook] = attrs.field(factory=dict[str, Hook])
