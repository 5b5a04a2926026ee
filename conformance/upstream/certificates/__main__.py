"""Make certificates anew: ``python -m conformance.upstream.certificates FOLDER...``."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from conformance.upstream.certificates import committed, hermetic, live
from conformance.upstream.lane import running


def main() -> None:
    """Certify the drivers that folders are about, and write what is kept of that."""
    parser = argparse.ArgumentParser(prog="conformance.upstream.certificates")
    where = f"with a {hermetic.CONFIGURATION}, as {hermetic.HOME / 'gpu'}"
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help=where)
    parser.add_argument("--instances", type=int, default=1, help="copies of the driver at a time")
    parser.add_argument("--live", action="store_true", help="on a real control plane as well")
    asked = parser.parse_args()
    for folder in asked.folders:
        _certify(folder, asked.instances)
        if asked.live:
            _certify_live(folder)


def _certify(folder: Path, instances: int) -> None:
    """Certify the driver on the control plane that ``certify`` brings."""
    with tempfile.TemporaryDirectory(prefix="dra-cert-") as scratch:
        out = Path(scratch) / "certified"
        copies = ("--instances", str(instances)) if instances > 1 else ()
        hermetic.run(hermetic.words(folder, *copies, "--out", str(out)))
        _keep(out, folder / "journal.jsonl")
    render = ["dra-conformance", "report", str(folder / "journal.jsonl")]
    hermetic.run([*render, "--format", "html", "--format", "markdown", "--out", str(folder)])


def _certify_live(folder: Path) -> None:
    """Certify it beside a real control plane and kubelet."""
    with tempfile.TemporaryDirectory(prefix="dra-cert-") as scratch:
        out = Path(scratch) / "certified"
        live.certify(folder, out)
        _keep(out, folder / "live.jsonl")


def _keep(run: Path, path: Path) -> None:
    path.write_text(committed.brief(running.read(run / "journal.jsonl")), "utf-8")


if __name__ == "__main__":
    main()
