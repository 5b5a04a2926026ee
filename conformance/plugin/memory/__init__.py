"""Look for garbage seldom: most of what a run holds, it holds to its end.

Modules, checks and the law are some hundred thousand objects, and a request makes a few hundred
more: collections as often as Python's defaults ask for took a sixth of a run's processor time.
"""

from __future__ import annotations

import gc

#: Objects more than are gone again before the young are looked through, and how often the old are.
_YOUNG = 50_000
_OLDER = (20, 100)


def pytest_collection_finish() -> None:
    """Keep what was loaded and collected until now out of every later look."""
    gc.freeze()
    gc.set_threshold(_YOUNG, *_OLDER)
