"""Whether a driver refuses to start as it was configured."""

from __future__ import annotations

from conformance.harness.subject.protocol import DriverHost, Refused, Wanted
from conformance.harness.world import World


def refusal(host: DriverHost, world: World, wanted: Wanted) -> str:
    """Return what the driver said when it refused, empty where it started."""
    try:
        with host.drive(world, wanted):
            return ""
    except Refused as refused:
        return str(refused.observed)
