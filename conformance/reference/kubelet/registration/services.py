"""Which of the services that a plugin offers the kubelet uses.

A driver lists gRPC services such as ``v1.DRAPlugin`` as its supported versions
(KEP-4381, plugin registration).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

#: The plugin type of DRA drivers in the registration API.
PLUGIN_TYPE = "DRAPlugin"

#: What this kubelet speaks, most recent first.
PLUGIN_SERVICES = ("v1.DRAPlugin", "v1beta1.DRAPlugin")
HEALTH_SERVICES = ("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth")


class UnusablePluginError(ValueError):
    """A plugin registered with something that the kubelet can't work with."""


@attrs.frozen(kw_only=True)
class Services:
    """The services that were chosen; ``health`` is empty where the plugin has none."""

    plugin: str
    health: str


def choose(supported: Sequence[str]) -> Services:
    """Return the services to use, among those that both sides have.

    For claims it is the first that the plugin lists, for health the most recent one.
    Raises ``UnusablePluginError`` where there is none for preparing claims.
    """
    if not supported:
        raise UnusablePluginError("empty list of supported gRPC services (aka supported versions)")
    plugin = _first(supported, PLUGIN_SERVICES)
    if not plugin:
        offered, known = ", ".join(supported), ", ".join(PLUGIN_SERVICES)
        raise UnusablePluginError(
            f"none of the services supported by the plugin ({offered}) "
            f"are supported by the kubelet ({known})"
        )
    return Services(plugin=plugin, health=_first(HEALTH_SERVICES, supported))


def _first(preferred: Sequence[str], allowed: Sequence[str]) -> str:
    return next((service for service in preferred if service in allowed), "")
