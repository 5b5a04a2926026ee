"""The values of system profiles; frozen and pure."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping

from attrs import frozen


@frozen(kw_only=True)
class Component:
    """A workload that belongs to a system."""

    #: ``DaemonSet`` or ``Deployment``.
    kind: str
    #: What the component does, in a sentence.
    sentence: str
    #: A glob for the name of the image without its registry and tag.
    image: str
    #: A system works without an optional component.
    optional: bool


@frozen(kw_only=True)
class Caveat:
    """Something that an administrator has to know, and the requirement that says so, if any."""

    sentence: str
    requirement: str | None
    #: Told only where this driver has no ResourceSlice; always where it is None.
    without_slices_of: str | None


@frozen(kw_only=True)
class System:
    """A driver with everything around it."""

    name: str
    title: str
    #: Where the names come from.
    source: str
    drivers: tuple[str, ...]
    classes: tuple[str, ...]
    #: Classes that some installations have; nobody misses them.
    optional_classes: tuple[str, ...]
    #: Name of an attribute to its type (``string``, ``int``, ``bool``, ``version``, ...).
    attributes: Mapping[str, str]
    capacities: tuple[str, ...]
    components: tuple[Component, ...]
    #: Globs of the extended resources by which a device plugin advertises the same devices.
    plugin_resources: tuple[str, ...]
    caveats: tuple[Caveat, ...]

    def is_plugin_resource(self, name: str) -> bool:
        """Tell whether a device plugin advertises devices of this system under that name."""
        return any(fnmatch.fnmatchcase(name, one) for one in self.plugin_resources)


@frozen(kw_only=True)
class Recognised:
    """A system that objects show: by what, and what of it is missing."""

    system: System
    #: ``DeviceClass gpu.nvidia.com``, ``ResourceSlices of gpu.nvidia.com (2)``, ...
    evidence: tuple[str, ...]
    missing: tuple[str, ...]
    caveats: tuple[Caveat, ...]
