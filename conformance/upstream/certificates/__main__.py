"""Make the certificates anew: ``python -m conformance.upstream.certificates FOLDER``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance.upstream.certificates import committed, hermetic, live, testdriver
from conformance.upstream.lane import running


def main() -> None:
    """Certify the driver that a folder is about, and write what is kept of that."""
    parser = argparse.ArgumentParser(prog="conformance.upstream.certificates")
    parser.add_argument("folder", type=Path, help=f"as {hermetic.HOME} or {testdriver.HOME}")
    parser.add_argument("--profile", action="append", choices=hermetic.PROFILES)
    asked = parser.parse_args()
    if asked.folder.resolve().name == testdriver.HOME.name:
        _test_driver(asked.folder)
    else:
        _example_driver(asked.folder, asked.profile or hermetic.PROFILES)


def _example_driver(home: Path, profiles: Sequence[str]) -> None:
    """Certify each profile both ways."""
    for profile in profiles:
        folder = home / profile
        folder.mkdir(parents=True, exist_ok=True)
        # The state folder of a cluster must be short: sockets lie below it.
        with tempfile.TemporaryDirectory(prefix="dra-cert-") as scratch:
            certified, installed = Path(scratch) / "certified", Path(scratch) / "installed"
            started = hermetic.started(profile)
            hermetic.run(hermetic.words(profile, *started, "--out", str(certified)))
            _keep(certified, folder / "journal.jsonl")
            live.certify(profile, Path(scratch) / "cluster", installed)
            _keep(installed, folder / "live.jsonl")
        _render(folder)


def _test_driver(folder: Path) -> None:
    """Certify the one way of starting it that its configuration describes."""
    with tempfile.TemporaryDirectory(prefix="dra-cert-") as scratch:
        certified = Path(scratch) / "certified"
        command = testdriver.words("--out", str(certified))
        hermetic.run(command, testdriver.PROGRAM)
        _keep(certified, folder / "journal.jsonl")
    _render(folder)


def _render(folder: Path) -> None:
    render = ["dra-conformance", "report", str(folder / "journal.jsonl")]
    hermetic.run([*render, "--format", "html", "--format", "markdown", "--out", str(folder)])


def _keep(run: Path, path: Path) -> None:
    path.write_text(committed.brief(running.read(run / "journal.jsonl")), "utf-8")


if __name__ == "__main__":
    main()
