"""What the driver has prepared, on disk: it survives the driver."""

from __future__ import annotations

import json
import os
from pathlib import Path

import attrs

from conformance.kube.objects import Object


@attrs.frozen(kw_only=True)
class Prepared:
    """One prepared device: the request references that it serves and its CDI devices."""

    pool: str
    device: str
    requests: tuple[str, ...]
    cdi_ids: tuple[str, ...]
    share_id: str | None = None


@attrs.frozen(kw_only=True)
class PreparedClaim:
    """A claim that the driver has prepared."""

    namespace: str
    name: str
    uid: str
    devices: tuple[Prepared, ...]


class Checkpoint:
    """The prepared claims by uid; every change is on disk before it counts."""

    def __init__(self, path: Path) -> None:
        """Read what a driver before this one has left."""
        self._path = path
        self._claims: dict[str, PreparedClaim] = {}
        if path.exists():
            document: Object = json.loads(path.read_text("utf-8"))
            self._claims = {uid: _claim(state) for uid, state in document["claims"].items()}

    def get(self, uid: str) -> PreparedClaim | None:
        """Return a prepared claim, if it is one."""
        return self._claims.get(uid)

    def claims(self) -> list[PreparedClaim]:
        """Return every prepared claim."""
        return list(self._claims.values())

    def add(self, claim: PreparedClaim) -> None:
        """Remember a claim."""
        self._claims[claim.uid] = claim
        self._write()

    def remove(self, uid: str) -> None:
        """Forget a claim; one that is not known is no error."""
        if self._claims.pop(uid, None) is not None:
            self._write()

    def _write(self) -> None:
        claims = {uid: attrs.asdict(claim) for uid, claim in self._claims.items()}
        fresh = self._path.with_name(f"{self._path.name}.tmp")
        fresh.write_text(json.dumps({"version": 1, "claims": claims}), "utf-8")
        os.replace(fresh, self._path)  # noqa: PTH105 - atomic, as Path.replace is


def _claim(state: Object) -> PreparedClaim:
    devices = tuple(
        Prepared(
            pool=device["pool"],
            device=device["device"],
            requests=tuple(device["requests"]),
            cdi_ids=tuple(device["cdi_ids"]),
            share_id=device["share_id"],
        )
        for device in state["devices"]
    )
    return PreparedClaim(
        namespace=state["namespace"], name=state["name"], uid=state["uid"], devices=devices
    )
