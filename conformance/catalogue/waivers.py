"""A user's file of waivers: failures that are known, tracked, and tolerated until a day.

    waivers:
    - id: DRA-BND-04
      reason: Our scheduler is built with a fixed timeout.
      until: 2026-12-31
      link: https://example.com/issues/17

A waiver changes ``failed`` to ``waived`` for its id, up to and including that day. It never makes
a pass out of anything, and a waived id that passes is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conformance.catalogue import decoding
from conformance.catalogue.errors import UnknownId
from conformance.catalogue.model import Catalogue, Waiver
from conformance.catalogue.reading import read


def load(path: Path, catalogue: Catalogue) -> Mapping[str, Waiver]:
    """Return the waivers of a file by id.

    Raises ``CatalogueError`` (file, line and column) for a file that cannot be read or is
    malformed, and for an id that the law lacks or that stands twice.
    """
    root = read(path).fields(("waivers",))
    found: dict[str, Waiver] = {}
    for cell in root["waivers"].items():
        waiver = decoding.waiver(cell)
        if waiver.id not in catalogue.requirements:
            unknown = UnknownId(waiver.id, catalogue.requirements)
            raise cell.fields(("id", "reason", "until", "link"))["id"].refuse(str(unknown))
        if waiver.id in found:
            raise cell.refuse(f"{waiver.id} is waived already at {found[waiver.id].position}")
        found[waiver.id] = waiver
    return found
