"""The CDI specs that the double writes: one file per claim, one device per allocated device."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from conformance.kube.objects import Object

#: The lowest version of the CDI specification that plain environment variables need.
CDI_VERSION = "0.3.0"


def kind(driver: str) -> str:
    """Return the CDI kind under which the double of ``driver`` names its devices."""
    return f"{driver}/device"


def environment(request: str, device: str) -> str:
    """Return the variable that a container sees for one allocated device."""
    name = request.replace("-", "_").replace("/", "_").upper()
    return f"DRA_CONFORMANCE_{name}={device}"


def device_name(claim_uid: str, result: Object) -> str:
    """Return the CDI device name of one allocation result, unique per claim and request.

    It starts with a letter, as names must below version 0.5.0 of the CDI specification.
    """
    return f"claim-{claim_uid}-{result['request'].replace('/', '-')}-{result['device']}"


class SpecFiles:
    """The double's files in one CDI directory."""

    def __init__(self, folder: Path, driver: str) -> None:
        self._folder = folder
        self._driver = driver

    def path(self, claim_uid: str) -> Path:
        """Return where the spec of a claim lies."""
        short = hashlib.sha256(self._driver.encode()).hexdigest()[:8]
        return self._folder / f"dra-conf-{short}-{claim_uid}.json"

    def write(self, claim_uid: str, results: list[Object]) -> list[str]:
        """Write the spec of a claim and return the CDI device ids, in the order of results."""
        devices: list[dict[str, Any]] = [
            {
                "name": device_name(claim_uid, result),
                "containerEdits": {"env": [environment(result["request"], result["device"])]},
            }
            for result in results
        ]
        spec = {"cdiVersion": CDI_VERSION, "kind": kind(self._driver), "devices": devices}
        path = self.path(claim_uid)
        unfinished = path.with_suffix(".tmp")
        unfinished.write_text(json.dumps(spec, indent=1), "utf-8")
        unfinished.replace(path)
        return [f"{kind(self._driver)}={device['name']}" for device in devices]

    def remove(self, claim_uid: str) -> None:
        """Remove the spec of a claim; nothing happens where there is none."""
        self.path(claim_uid).unlink(missing_ok=True)

    def remove_all(self) -> None:
        """Remove every spec of this double."""
        short = hashlib.sha256(self._driver.encode()).hexdigest()[:8]
        for path in self._folder.glob(f"dra-conf-{short}-*"):
            path.unlink(missing_ok=True)
