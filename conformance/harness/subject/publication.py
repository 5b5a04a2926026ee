"""What a driver that can be told anything publishes, where a check wants it to be judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import attrs

from conformance.harness.subject.protocol import Wanted
from conformance.kube.objects import Object

#: The attribute that names the type of a partition, without the driver's domain.
PROFILE = "profile"

#: The counters that every partition draws from.
_MEMORY = "80Gi"


@attrs.frozen(kw_only=True)
class Publication:
    """The content of one pool."""

    devices: Sequence[Object]
    #: Entries of a slice's ``sharedCounters``.
    shared_counters: Sequence[Object] = ()
    #: The slices' ``partitionTypeAttribute``; empty for none.
    partition_type: str = ""
    #: The driver reports the binding conditions of its devices.
    reports_binding: bool = False


def of(driver: str, wanted: Wanted, own: Sequence[Object]) -> Publication:
    """Return what ``driver`` is to publish; ``own`` devices where a check does not care."""
    if wanted.publishes:
        return _TOLD[wanted.publishes](driver, own)
    return Publication(devices=own if wanted.devices is None else wanted.devices)


def _binding(_driver: str, own: Sequence[Object]) -> Publication:
    fields = {
        "bindsToNode": True,
        "bindingConditions": ["conformance.test/attached", "Initialized"],
        "bindingFailureConditions": ["conformance.test/attaching-failed"],
    }
    return Publication(devices=[{**one, **fields} for one in own], reports_binding=True)


def _partitions(driver: str, _own: Sequence[Object]) -> Publication:
    counters = {"name": "gpu-0", "counters": {"memory": {"value": _MEMORY}}}
    return Publication(
        devices=[
            _partition("full-0", "Full", _MEMORY),
            _partition("half-0", "Half", "40Gi"),
            _partition("half-1", "Half", "40960Mi"),
        ],
        shared_counters=[counters],
        partition_type=f"{driver}/{PROFILE}",
    )


def _partition(name: str, kind: str, memory: str) -> Object:
    return {
        "name": name,
        "attributes": {PROFILE: {"string": kind}},
        "consumesCounters": [{"counterSet": "gpu-0", "counters": {"memory": {"value": memory}}}],
    }


#: How to publish what ``protocol.PUBLISHED`` names.
_TOLD: Mapping[str, Callable[[str, Sequence[Object]], Publication]] = {
    "binding-conditions": _binding,
    "partitions": _partitions,
}
