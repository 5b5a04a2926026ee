"""Where the data of the project lies: ``fixtures`` and ``schemas``.

In a checkout both stand beside the package; in an installed wheel they stand inside of it, in
``_data``. Nothing else may know that there are two places.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_PACKED = _PACKAGE / "_data"

#: What holds both folders. A wheel is asked first: beside an installed package other folders
#: of the same names may stand.
_ROOT = _PACKED if _PACKED.is_dir() else _PACKAGE.parent


def fixtures(*parts: str) -> Path:
    """Return the path of a fixture; without parts, of the folder of all."""
    return _ROOT.joinpath("fixtures", *parts)


def schemas(*parts: str) -> Path:
    """Return the path of a schema; without parts, of the folder of all."""
    return _ROOT.joinpath("schemas", *parts)
