"""The configuration of the bundled driver, and what makes one unusable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from conformance.kube.objects import Object

#: The versions of the metadata API that the driver can write, newest first.
METADATA_VERSIONS = ("v1beta1", "v1alpha1")


class ConfigurationError(ValueError):
    """The driver refuses to start with this configuration; one sentence says why."""


@attrs.frozen(kw_only=True)
class MetadataConfig:
    """Device metadata files (KEP-5304): which versions, and what stands in them when.

    ``versions`` is the order of the stream. With ``deferred_seconds`` the first file has the
    devices' identity alone, and attributes and network data follow so many seconds (of the
    driver's clock) after preparing. ``extra_attributes`` are known at run time only.
    """

    versions: tuple[str, ...] = METADATA_VERSIONS
    deferred_seconds: float | None = None
    extra_attributes: Mapping[str, Object] = attrs.field(factory=dict[str, Object])


@attrs.frozen(kw_only=True)
class HealthConfig:
    """The health service: which versions are offered, and how often a report is repeated.

    ``timeout_seconds`` goes into every report as ``health_check_timeout_seconds``; 0 leaves
    it to the kubelet.
    """

    services: tuple[str, ...] = ("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth")
    period: float = 10.0
    timeout_seconds: int = 0
    #: Whether devices that are not healthy are published with a taint.
    taints: bool = False


@attrs.frozen(kw_only=True)
class BindingConfig:
    """Binding conditions: how the driver reports those that its devices ask for.

    An allocated device is attached after ``attach_seconds`` of the driver's clock; what was
    reported is looked at again every ``renew_seconds``, and written again if it differs.
    """

    attach_seconds: float = 5.0
    renew_seconds: float = 10.0


@attrs.frozen(kw_only=True)
class DriverConfig:
    """One driver on one node.

    ``devices`` are entries of a ResourceSlice's ``spec.devices``; ``pool`` is the node's name
    unless it says otherwise. ``network_data`` by device name goes into metadata and into the
    claim's device status. ``shared_counters`` stand in a slice of their own, and
    ``partition_type_attribute`` in every slice whose devices consume counters.
    """

    name: str
    devices: Sequence[Object]
    shared_counters: Sequence[Object] = ()
    partition_type_attribute: str = ""
    pool: str = ""
    services: tuple[str, ...] = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
    metadata: MetadataConfig | None = None
    health: HealthConfig | None = None
    device_status: bool = False
    binding: BindingConfig | None = None
    network_data: Mapping[str, Object] = attrs.field(factory=dict[str, Object])
    #: Devices that need nothing done on the node: preparing returns no device for them.
    without_node_part: frozenset[str] = frozenset()
    #: Where it answers probes of its Pod; 0 for nowhere.
    healthcheck_port: int = 0
    #: Where it tells its metrics; 0 for nowhere.
    metrics_port: int = 0
    #: Tells two instances on one node apart (rolling update); part of both socket names.
    instance: str = ""


def check(config: DriverConfig) -> None:
    """Raise ``ConfigurationError`` for what the driver can't start with.

    The rules for metadata are those of ``EnableDeviceMetadata``: versions are chosen
    explicitly, each is known, and the newest is among them.
    """
    if not config.services:
        raise ConfigurationError("no supported DRA gRPC API is implemented and enabled")
    if config.metadata is None:
        return
    versions = config.metadata.versions
    if not versions:
        raise ConfigurationError("device metadata needs explicitly chosen versions, none given")
    for version in versions:
        if version not in METADATA_VERSIONS:
            raise ConfigurationError(f"metadata version {version!r} is not supported")
    newest = METADATA_VERSIONS[0]
    if newest not in versions:
        raise ConfigurationError(f"the metadata version {newest} must be among the versions")
