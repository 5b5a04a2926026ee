"""What the driver has prepared, on disk: it survives the driver; and what that forbids."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import NONE, Faults


class PrepareError(RuntimeError):
    """A claim can't be prepared; the message says why."""


@attrs.frozen(kw_only=True)
class Prepared:
    """One prepared device: the request references that it serves and its CDI devices."""

    pool: str
    device: str
    requests: tuple[str, ...]
    cdi_ids: tuple[str, ...]
    share_id: str | None = None
    admin_access: bool = False


@attrs.frozen(kw_only=True)
class PreparedClaim:
    """A claim that the driver has prepared."""

    namespace: str
    name: str
    uid: str
    devices: tuple[Prepared, ...]


class Checkpoint:
    """The prepared claims by uid; every change is on disk before it counts."""

    def __init__(self, path: Path, faults: Faults = NONE) -> None:
        """Read what a driver before this one has left."""
        self._path = path
        self._load = faults.wrap("driver.load_checkpoint", load)
        self._up_to_date = faults.wrap("driver.checkpoint_up_to_date", self._is_as_seen)
        self._claims = dict(self._load(path))
        self._seen = self._state()

    def get(self, uid: str) -> PreparedClaim | None:
        """Return a prepared claim, if it is one."""
        self._refresh()
        return self._claims.get(uid)

    def claims(self) -> list[PreparedClaim]:
        """Return every prepared claim."""
        self._refresh()
        return list(self._claims.values())

    def add(self, claim: PreparedClaim) -> None:
        """Remember a claim."""
        self._refresh()
        self._claims[claim.uid] = claim
        self._write()

    def remove(self, uid: str) -> None:
        """Forget a claim; one that is not known is no error."""
        self._refresh()
        if self._claims.pop(uid, None) is not None:
            self._write()

    def _write(self) -> None:
        claims = {uid: attrs.asdict(claim) for uid, claim in self._claims.items()}
        fresh = self._path.with_name(f"{self._path.name}.tmp")
        fresh.write_text(json.dumps({"version": 1, "claims": claims}), "utf-8")
        os.replace(fresh, self._path)  # noqa: PTH105 - atomic, as Path.replace is
        self._seen = self._state()

    def _refresh(self) -> None:
        """Read what another instance of the driver has written meanwhile."""
        if not self._up_to_date():
            self._claims = dict(self._load(self._path))
            self._seen = self._state()

    def _is_as_seen(self) -> bool:
        return self._state() == self._seen

    def _state(self) -> tuple[int, int]:
        if not self._path.exists():
            return (0, 0)
        state = self._path.stat()
        return (state.st_ino, state.st_mtime_ns)


def load(path: Path) -> Mapping[str, PreparedClaim]:
    """Return the prepared claims of a file by uid; none where there is no file."""
    if not path.exists():
        return {}
    document: Object = json.loads(path.read_text("utf-8"))
    return {uid: _claim(state) for uid, state in document["claims"].items()}


def _claim(state: Object) -> PreparedClaim:
    devices = tuple(
        Prepared(
            pool=device["pool"],
            device=device["device"],
            requests=tuple(device["requests"]),
            cdi_ids=tuple(device["cdi_ids"]),
            share_id=device["share_id"],
            admin_access=device.get("admin_access", False),
        )
        for device in state["devices"]
    )
    return PreparedClaim(
        namespace=state["namespace"], name=state["name"], uid=state["uid"], devices=devices
    )


def refuse_in_use(uid: str, results: Iterable[Object], prepared: Iterable[PreparedClaim]) -> None:
    """Raise ``PrepareError`` for a device that another claim has.

    The scheduler sees to it that this never happens; kubeletplugin calls the driver the last
    line of defense. Shares of one device and admin access are no conflict.
    """
    taken = {
        (device.pool, device.device, device.share_id): other
        for other in prepared
        if other.uid != uid
        for device in other.devices
        if not device.admin_access
    }
    for result in results:
        other = taken.get((result["pool"], result["device"], result.get("shareID")))
        if other is not None and not result.get("adminAccess"):
            holder = f"{other.namespace}/{other.name}"
            raise PrepareError(f"device {result['device']} is prepared for claim {holder}")


def refuse_changed(known: PreparedClaim, devices: Sequence[Prepared]) -> None:
    """Raise ``PrepareError`` where a claim was allocated other devices than are prepared for it."""
    if {_identity(one) for one in known.devices} != {_identity(one) for one in devices}:
        names = ", ".join(sorted(one.device for one in known.devices))
        raise PrepareError(f"its allocation has changed: {names} must be unprepared first")


def undo(specs: Iterable[Path]) -> None:
    """Remove the CDI specs of a preparation that failed half way."""
    for path in specs:
        path.unlink(missing_ok=True)


def _identity(device: Prepared) -> tuple[str, str, tuple[str, ...], str | None]:
    return device.pool, device.device, device.requests, device.share_id
