"""Try policies on files, for whoever writes them.

    python -m conformance.policy.trial FILE... [--policy ID] [--from DIR]

Prints one line for each finding and each trouble; ends with 1 if there are any findings.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.catalogue import loading as catalogue
from conformance.catalogue.errors import CatalogueError
from conformance.policy import evaluate, loading
from conformance.policy.manifests import files
from conformance.policy.world import World


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the policies find; 0 without findings, 1 with some."""
    parser = argparse.ArgumentParser(prog="python -m conformance.policy.trial")
    parser.add_argument("paths", nargs="+", metavar="FILE")
    parser.add_argument("--policy", help="only this one")
    parser.add_argument("--from", dest="folders", type=Path, action="append", default=[])
    options = parser.parse_args(arguments)
    try:
        policies = loading.load(catalogue.load(), options.folders)
    except CatalogueError as error:
        parser.error(str(error))
    chosen = [one for one in policies if options.policy in (None, one.id)]
    if not chosen:
        parser.error(f"no policy is called {options.policy!r}")
    reading = files.read(options.paths)
    judged = evaluate.judge(chosen, World.of_manifests(reading.manifests))
    lines = [
        *(str(one) for one in (*reading.troubles, *judged.troubles)),
        *(f"{one.place}: {one.level} {one.id} {one.policy}: {one.object}: {one.message}"
          for one in judged.findings),
        f"applied: {sum(judged.applied.values())}, ignored: {dict(judged.ignored)}",
    ]  # fmt: skip
    print("\n".join(lines))  # noqa: T201 - the findings are the output of this program
    return 1 if judged.findings else 0


if __name__ == "__main__":
    sys.exit(main())
