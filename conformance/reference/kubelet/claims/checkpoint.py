"""The claims of the node on disk: what a kubelet that restarts must know.

The file has the shape of upstream's ``dra_manager_state``: a JSON document inside a JSON
document, with the CRC-32 of the inner one.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from conformance.kube.objects import Object
from conformance.reference.kubelet.claims.info import ClaimInfo, DriverState, PreparedDevice
from conformance.reference.kubelet.registration.plugin import ClaimRef

_KIND = {"kind": "DRACheckpoint", "apiVersion": "checkpoint.dra.kubelet.k8s.io/v1"}


class CheckpointError(RuntimeError):
    """The checkpoint on disk can't be trusted."""


def save(path: Path, claims: Iterable[ClaimInfo]) -> None:
    """Replace the checkpoint by one with these claims; the old one stays until it is whole."""
    data = json.dumps({**_KIND, "ClaimInfoStateList": [_state(claim) for claim in claims]})
    document = {"Data": data, "Checksum": zlib.crc32(data.encode())}
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.write_text(json.dumps(document), "utf-8")
    os.replace(fresh, path)  # noqa: PTH105 - atomic, as Path.replace is, and known to be


def load(path: Path) -> list[ClaimInfo]:
    """Return the claims of a checkpoint; none where there is no file.

    Raises ``CheckpointError`` for a file that is not a whole checkpoint.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise CheckpointError(f"checkpoint {path.name} is corrupted: {error}") from error
    data = document.get("Data", "")
    if zlib.crc32(data.encode()) != document.get("Checksum"):
        raise CheckpointError(f"checkpoint {path.name} is corrupted: the checksum differs")
    return [_claim(state) for state in json.loads(data)["ClaimInfoStateList"] or []]


def _state(claim: ClaimInfo) -> Object:
    return {
        "ClaimUID": claim.ref.uid,
        "ClaimName": claim.ref.name,
        "Namespace": claim.ref.namespace,
        "PodUIDs": {uid: {} for uid in sorted(claim.pods)},
        "DriverState": {
            name: {
                "Devices": [_device_state(device) for device in driver.devices],
                "skipNodeOperations": list(driver.skips),
            }
            for name, driver in claim.drivers.items()
        },
    }


def _device_state(device: PreparedDevice) -> Object:
    return {
        "PoolName": device.pool,
        "DeviceName": device.device,
        "ShareID": device.share_id,
        "RequestNames": list(device.requests),
        "CDIDeviceIDs": list(device.cdi_ids),
    }


def _claim(state: Object) -> ClaimInfo:
    return ClaimInfo(
        ref=ClaimRef(namespace=state["Namespace"], name=state["ClaimName"], uid=state["ClaimUID"]),
        pods=set(state["PodUIDs"]),
        drivers={
            name: DriverState(
                devices=[_device(device) for device in driver["Devices"] or []],
                skips=tuple(driver.get("skipNodeOperations") or ()),
            )
            for name, driver in state["DriverState"].items()
        },
    )


def _device(state: Object) -> PreparedDevice:
    return PreparedDevice(
        pool=state["PoolName"],
        device=state["DeviceName"],
        requests=tuple(state["RequestNames"] or ()),
        cdi_ids=tuple(state["CDIDeviceIDs"] or ()),
        share_id=state["ShareID"],
    )
