"""The end of a process whose run was cut off: what dies then has nothing to tell."""

from __future__ import annotations

import atexit
import logging
import sys
from typing import Any


def hush() -> None:
    """Print no complaint of an object that is collected from now on."""
    sys.unraisablehook = _ignore
    logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)


def hush_at_exit() -> None:
    """Print none while the interpreter ends; a worker of pytest-xdist may end at any moment."""
    atexit.register(hush)


def _ignore(_unraisable: Any) -> None:
    return None
