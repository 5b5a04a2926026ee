"""Saboteurs of metadata files on a node: what each does stands in ``driver_metadata.yaml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conformance.reference.faults.seams import Saboteur


def left(_real: Callable[[str, str, str], None], _namespace: str, _name: str, _uid: str) -> None:
    """Remove nothing."""


def emptied(real: Callable[..., None], claim: Any, request: str, file: Path) -> None:
    """Begin to write, and stop."""
    real(claim, request, file)
    file.write_text("", "utf-8")


def lost(_real: Callable[..., None], _claim: Any, _request: str, _file: Path) -> None:
    """Bring nothing back."""


def one_for_all(real: Callable[[Any, str], Path], claim: Any, parent: str) -> Path:
    """Leave the claim out of the path."""
    path = real(claim, parent)
    return path.parents[2] / claim.namespace / path.name


SABOTEURS: Mapping[str, Saboteur] = {
    "driver-metadata-left": left,
    "driver-metadata-emptied": emptied,
    "driver-metadata-lost-in-a-reboot": lost,
    "driver-metadata-shared": one_for_all,
}
