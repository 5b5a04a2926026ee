"""Saboteurs of drivers whose CDI folder takes no file: what each does stands in ``driver_cdi``."""

from __future__ import annotations

import errno
import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conformance.kube.objects import Object, uid_of
from conformance.reference.faults.seams import Saboteur


def overlook(trouble: int, real: Callable[..., None], *given: Any) -> None:
    """Take what failed for this reason for done."""
    try:
        real(*given)
    except OSError as error:
        if error.errno != trouble:
            raise


class Grudge:
    """Writes no spec for a claim whose spec it could not write once."""

    def __init__(self) -> None:
        self._failed: set[Path] = set()

    def __call__(self, real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
        """Fail for ever after one failure."""
        if path in self._failed:
            raise OSError("preparing the claim was given up")
        try:
            real(path, spec)
        except OSError:
            self._failed.add(path)
            raise


class NotedFirst:
    """Has noted a claim before its spec is written, and finds it in its notes the next time."""

    def __init__(self) -> None:
        self._noted: set[Path] = set()

    def __call__(self, real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
        """Write no spec once it could not be written."""
        if path not in self._noted:
            self._noted.add(path)
            real(path, spec)
            self._noted.discard(path)


def half(real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
    """Leave as much of a spec as there was room for."""
    try:
        real(path, spec)
    except OSError:
        text = json.dumps(spec)
        path.with_name(f"half-{path.name}").write_text(text[: len(text) // 2], "utf-8")
        raise


def draft(real: Callable[[Path, Object], None], path: Path, spec: Object) -> None:
    """Leave the draft of a spec that could not be completed."""
    try:
        real(path, spec)
    except OSError:
        path.with_name(f".{path.name}.draft").touch()
        raise


class NeverPrepared:
    """Knows claims that it has tried to prepare in vain, and does not undo them."""

    def __init__(self) -> None:
        self._prepared: set[str] = set()

    def __call__(self, real: Callable[..., bool], uid: str, known: Any) -> bool:
        """Fail for a claim that is not prepared now and never was."""
        if known is not None:
            self._prepared.add(uid)
        if uid not in self._prepared:
            raise OSError(f"claim {uid} is not prepared")
        return real(uid, known)


class Hoard:
    """Keeps the devices of claims that it could not prepare."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], str] = {}

    def __call__(self, real: Callable[[Object], Any], claim: Object) -> Any:
        """Give no other claim what one was to have."""
        results = claim["status"]["allocation"]["devices"]["results"]
        wanted = [(one["driver"], one["pool"], one["device"]) for one in results]
        for device in wanted:
            if self._kept.get(device, uid_of(claim)) != uid_of(claim):
                raise OSError(f"device {device[-1]} is being prepared for another claim")
        try:
            return real(claim)
        except OSError:
            self._kept.update(dict.fromkeys(wanted, uid_of(claim)))
            raise


def empty_first(real: Callable[[Any, Path], None], specs: Any, path: Path) -> None:
    """Write a spec without devices in the place of one that is to be removed."""
    if path.exists():
        specs.write(path, {"cdiVersion": "0.3.0", "kind": "nobody.example.com/none", "devices": []})
    real(specs, path)


def blindly(real: Callable[[Any, Path], None], specs: Any, path: Path) -> None:
    """Remove without a look whether there is something to remove."""
    if specs.trouble == errno.EROFS:
        raise OSError(errno.EROFS, "unlink", str(path))
    real(specs, path)


def forgotten(_real: Callable[[str], Any], _uid: str) -> None:
    """Prepare each claim as if it were new."""


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-cdi-full-overlooked": functools.partial(overlook, errno.ENOSPC),
    "driver-cdi-read-only-overlooked": functools.partial(overlook, errno.EROFS),
    "driver-cdi-given-up": Grudge(),
    "driver-cdi-noted-first": NotedFirst(),
    "driver-cdi-half-a-spec": half,
    "driver-cdi-draft-of-a-failure": draft,
    "driver-cdi-failures-not-undone": NeverPrepared(),
    "driver-cdi-devices-hoarded": Hoard(),
    "driver-cdi-room-to-undo": empty_first,
    "driver-cdi-not-removed": functools.partial(overlook, errno.EROFS),
    "driver-cdi-removed-blindly": blindly,
    "driver-cdi-always-anew": forgotten,
}
