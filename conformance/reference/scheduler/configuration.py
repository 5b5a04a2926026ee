"""KubeSchedulerConfiguration, as far as it concerns devices.

Source: "How DRA works", device binding conditions: ``profiles[].pluginConfig``, name
``DynamicResources``, ``args.bindingTimeout``; kube-scheduler configuration (v1),
``DynamicResourcesArgs.filterTimeout``. A wrong configuration is one sentence, since a real
scheduler would not start with it either.
"""

from __future__ import annotations

import re
from typing import Any

import attrs

from conformance.dra.features import Features
from conformance.kube.objects import Object

#: Seconds that a Pod waits for its devices when nothing else is configured.
DEFAULT_BINDING_TIMEOUT = 600.0

#: Seconds for the search for devices on one node when nothing else is configured.
DEFAULT_FILTER_TIMEOUT = 10.0

_API_VERSION = "kubescheduler.config.k8s.io/v1"
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_KNOWN_ARGUMENTS = {"apiVersion", "kind", "bindingTimeout", "filterTimeout"}


class ConfigurationError(ValueError):
    """The scheduler's configuration is wrong; the message is one sentence."""


@attrs.frozen(kw_only=True)
class SchedulerOptions:
    """What can be configured: the Pods it is responsible for, and how long they may wait."""

    scheduler_name: str = "default-scheduler"
    binding_timeout: float = DEFAULT_BINDING_TIMEOUT
    #: Seconds for the search for devices on one node, None for as long as it takes.
    filter_timeout: float | None = DEFAULT_FILTER_TIMEOUT


def honours_conditions(features: Features) -> bool:
    """Tell whether Pods wait for binding conditions: both gates are needed."""
    gates = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
    return all(map(features.enabled, gates))


def parse_configuration(obj: Object | None, features: Features | None = None) -> SchedulerOptions:
    """Return the options that a KubeSchedulerConfiguration asks for.

    Raises ``ConfigurationError`` for another kind, an unknown argument of the plugin, a
    timeout that is no duration of a second or more, and a timeout without the feature that
    would wait or count. A search without ``filter_timeout`` takes as long as it takes.
    """
    features = features or Features()
    limits = features.enabled("DRASchedulerFilterTimeout")
    options = SchedulerOptions(filter_timeout=DEFAULT_FILTER_TIMEOUT if limits else None)
    if obj is None:
        return options
    _expect_kind(obj)
    profiles = obj.get("profiles") or [{}]
    if not isinstance(profiles, list) or len(profiles) != 1:
        raise ConfigurationError("profiles: expected a list with exactly one profile")
    profile: Any = profiles[0]
    if not isinstance(profile, dict):
        raise ConfigurationError("profiles[0]: expected a mapping")
    name = profile.get("schedulerName") or options.scheduler_name
    options = attrs.evolve(options, scheduler_name=name)
    for index, entry in enumerate(profile.get("pluginConfig") or []):
        where = f"profiles[0].pluginConfig[{index}]"
        if entry.get("name") == "DynamicResources":
            args = entry.get("args") or {}
            options = _with_arguments(options, args, f"{where}.args")
            if "filterTimeout" in args and not limits:
                raise ConfigurationError(
                    f"{where}.args.filterTimeout: forbidden while DRASchedulerFilterTimeout is off"
                )
    waits = honours_conditions(features)
    if options.binding_timeout != DEFAULT_BINDING_TIMEOUT and not waits:
        raise ConfigurationError(
            "bindingTimeout: forbidden while DRADeviceBindingConditions or "
            "DRAResourceClaimDeviceStatus is off"
        )
    return options


def _expect_kind(obj: Object) -> None:
    kind, version = obj.get("kind"), obj.get("apiVersion")
    if kind != "KubeSchedulerConfiguration" or version != _API_VERSION:
        raise ConfigurationError(
            f"expected kind KubeSchedulerConfiguration of {_API_VERSION}, found {kind} of {version}"
        )


def _with_arguments(options: SchedulerOptions, args: Object, where: str) -> SchedulerOptions:
    if args.get("kind", "DynamicResourcesArgs") != "DynamicResourcesArgs":
        raise ConfigurationError(f"{where}.kind: expected DynamicResourcesArgs")
    unknown = sorted(set(args) - _KNOWN_ARGUMENTS)
    if unknown:
        raise ConfigurationError(f"{where}.{unknown[0]}: no such field in DynamicResourcesArgs")
    if "filterTimeout" in args:
        limit = parse_duration(args["filterTimeout"], f"{where}.filterTimeout")
        options = attrs.evolve(options, filter_timeout=limit or None)
    if "bindingTimeout" not in args:
        return options
    seconds = parse_duration(args["bindingTimeout"], f"{where}.bindingTimeout")
    # kube-scheduler 1.37 refuses to start with less than a second.
    if seconds < 1:
        raise ConfigurationError(f"{where}.bindingTimeout: must be at least 1s")
    return attrs.evolve(options, binding_timeout=seconds)


def parse_duration(value: object, where: str) -> float:
    """Return the seconds of a Go duration such as ``60s`` or ``1m30s``."""
    text = value if isinstance(value, str) else ""
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ConfigurationError(f'{where}: expected a duration such as "60s", found {value!r}')
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)
