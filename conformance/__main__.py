"""``python -m conformance`` is the same program as ``dra-conformance``."""

from __future__ import annotations

import sys

from conformance.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
