"""The metadata files of a claim on its node, found by the mounts of the driver's CDI specs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided
from conformance.harness.kubeletside.claims import Answer
from conformance.harness.observe.probe import METADATA_ROOT


def mounted(bench: Bench, answer: Answer) -> list[Path]:
    """Stand on the files that are mounted for a claim, or raise ``Undecided``."""
    files = mounted_by(bench, answer)
    missing = [str(one) for one in files if not one.exists()]
    if missing or not files:
        raise Undecided(f"not judged, since no metadata file is mounted (missing: {missing})")
    return files


def mounted_by(bench: Bench, answer: Answer) -> list[Path]:
    """Return the files on the node that the devices of an answer mount as metadata."""
    mounts = [
        mount
        for edits in bench.folder.read().edits(cdi.ids_of(answer))
        for mount in edits.get("mounts") or []
    ]
    return sorted(
        {Path(one["hostPath"]) for one in mounts if one["containerPath"].startswith(METADATA_ROOT)}
    )


def contents(files: Iterable[Path]) -> Mapping[str, str]:
    """Return the texts of files by path; one that is gone has none."""
    return {str(one): one.read_text("utf-8") if one.exists() else "" for one in files}
