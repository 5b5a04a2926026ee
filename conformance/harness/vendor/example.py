"""The file that ``init`` writes: every field, explained, valid as it stands."""

from __future__ import annotations

from conformance import data


def text(name: str) -> str:
    """Return the example for a driver of this name."""
    path = data.fixtures("driver", "dra-conformance.yaml")
    return path.read_text("utf-8").replace("gpu.example.com", name)
