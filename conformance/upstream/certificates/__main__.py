"""Make the certificates anew: ``python -m conformance.upstream.certificates FOLDER``."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from conformance.upstream.certificates import committed, hermetic, live
from conformance.upstream.lane import running


def main() -> None:
    """Certify each profile both ways, and write what is kept of that."""
    parser = argparse.ArgumentParser(prog="conformance.upstream.certificates")
    parser.add_argument("folder", type=Path, help="as reports/1.37/dra-example-driver")
    parser.add_argument("--profile", action="append", choices=hermetic.PROFILES)
    asked = parser.parse_args()
    for profile in asked.profile or hermetic.PROFILES:
        folder = asked.folder / profile
        folder.mkdir(parents=True, exist_ok=True)
        # The state folder of a cluster must be short: sockets lie below it.
        with tempfile.TemporaryDirectory(prefix="dra-cert-") as scratch:
            certified, installed = Path(scratch) / "certified", Path(scratch) / "installed"
            started = hermetic.started(profile)
            hermetic.run(hermetic.words(profile, *started, "--out", str(certified)))
            _keep(certified, folder / "journal.jsonl")
            live.certify(profile, Path(scratch) / "cluster", installed)
            _keep(installed, folder / "live.jsonl")
        render = ["dra-conformance", "report", str(folder / "journal.jsonl")]
        hermetic.run([*render, "--format", "html", "--format", "markdown", "--out", str(folder)])


def _keep(run: Path, path: Path) -> None:
    path.write_text(committed.brief(running.read(run / "journal.jsonl")), "utf-8")


if __name__ == "__main__":
    main()
